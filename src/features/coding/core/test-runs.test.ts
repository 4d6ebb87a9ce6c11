import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usualTests } from './config';
import { simpleCommands } from './shell-words';
import { isTestRun } from './test-runs';

const tests = (line: string, patterns: readonly string[] = usualTests) => isTestRun(line, patterns);

describe('what the agent ran is a test run', () => {
  test.each([
    ...[
      'npm test',
      'npm t',
      'npm run test',
      'npm run test:unit',
      'pnpm run test',
      'pnpm -r test',
      'yarn test',
    ],
    ...[
      'npm --prefix web test',
      'npm --prefix web run test',
      'npm -w core test -- --bail',
      'npm test 2>&1 | tail -5',
    ],
    ...['cd web && npm test', 'cd web; CI=1 npm test', 'npm ci && npm run build && npm test', 'lint || jest'],
    ...[
      'npx vitest run',
      'npx --yes vitest@latest',
      'pnpm exec vitest',
      'pnpm vitest',
      'yarn jest',
      'bunx jest',
    ],
    ...['./node_modules/.bin/vitest run', 'node node_modules/vitest/vitest.mjs run', 'vendor/bin/phpunit'],
    ...["bash -lc 'npm test'", 'bash -lc "cd web && npx vitest run"', 'sh -c "timeout 60 go test ./..."'],
    ...['python -m pytest -q', 'python3 -u -m pytest', 'python3.12 -m unittest discover', 'uv run pytest'],
    ...['poetry run python -m pytest', 'coverage run -m pytest', 'bundle exec rspec', './gradlew test'],
    ...['.\\gradlew.bat test', 'mvn -q test', 'cargo +nightly test', 'cargo nextest run', 'go test ./...'],
    ...[
      'make -C core test',
      'env A=1 timeout -s KILL 60 tox',
      'if npm test; then echo ok; fi',
      '(cd a; npm test)',
    ],
    ...['{ npm test; } 2>/dev/null', 'for i in 1 2; do npm test; done', 'out=$(npm test) ; echo "$out"'],
    ...['echo "$(npm test)"', 'npm test & wait', '! npm test', 'docker compose exec -T app npm test'],
    ...[
      'yarn workspace web test',
      'npm \\\n  test',
      'echo a\nnpm test',
      'node --test',
      'node --no-warnings --test a',
    ],
    ...['cat <<EOF > x\nbody\nEOF\nnpm test', 'sudo -u bob npm test', "eval 'npm test'"],
  ])('the command "%s" counts as a test run', (line) => expect(tests(line)).toBe(true));
});

describe('what only names a test program is none', () => {
  test.each([
    ...['pnpm typecheck', 'npm run typecheck', 'yarn typecheck', 'npm run tsc', 'cat vitest.config.ts'],
    ...['npm i -D vitest', 'npm install jest', 'pnpm add -D vitest', 'yarn add jest', 'yarn why jest'],
    ...['grep toxic a.txt', 'grep -rn vitest src', 'rg "npm test"', 'echo npm test', 'echo "a && npm test"'],
    ...[
      "git commit -m 'npm test; jest'",
      'git log -- jest',
      'cat jest.config.js | head',
      'ls node_modules/vitest',
    ],
    ...['# npm test', 'ls # && npm test', 'cat <<EOF > run.sh\nnpm test\nEOF', "cat <<'END'\njest\nEND"],
    ...['npx vitest --version', 'pytest --help', 'npx -p vitest tsc', 'node -e "vitest"', 'python -c pytest'],
    ...[
      'echo x > npm test',
      'echo a >jest',
      'detox build',
      'go testify',
      'npm testify',
      'contest',
      'which tox',
    ],
    ...[
      'make testing',
      'cargo build --test',
      'vim tests/jest.sh',
      'bash -c "echo npm test"',
      'mkdir nox',
      '',
      ' ',
    ],
  ])('the command "%s" does not count as a test run', (line) => expect(tests(line)).toBe(false));
});

test("the operator's patterns are used, which may be a script, a line of options, or several commands", () => {
  expect(tests('bash scripts/check.sh --all', ['scripts/check.sh'])).toBe(true);
  expect(tests('./scripts/check.sh', ['check'])).toBe(true);
  expect(tests('./other/check.sh', ['scripts/check.sh'])).toBe(false);
  expect(tests('cd web && npm run e2e', ['cd web && npm run e2e'])).toBe(true);
  expect(tests('npm run e2e', ['cd web && npm run e2e'])).toBe(false);
  expect(tests('python3 manage.py test app', ['manage.py test'])).toBe(true);
  expect(tests('node tools/e2e.mjs app', ['node tools/e2e.mjs'])).toBe(true);
  expect(tests('npx vitest run', ['npx vitest'])).toBe(true);
  expect(tests('npm test', ['jest'])).toBe(false);
  expect(tests('npm test', ['  ', '&&'])).toBe(false);
});

const word = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,9}$/);
const quoted = (text: string) => `'${text}'`;

test('a test command counts wherever a command may stand', () => {
  const before = fc.constantFrom('', 'cd a && ', 'ls; ', 'A=1 ', 'npx ', 'echo x | ', 'true || ', 'env B=2 ');
  const after = fc.constantFrom(
    '',
    ' --bail',
    ' && ls',
    '; echo $?',
    ' | tail',
    ' 2>&1 | tee log',
    ' > log',
    '\nls',
  );
  const wrap = fc.constantFrom<(line: string) => string>(
    (line) => line,
    (line) => `bash -lc ${quoted(line)}`,
    (line) => `(${line})`,
    (line) => `if ${line}\nthen ls; fi`,
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...usualTests),
      fc.tuple(before, after),
      wrap,
      (line, [first, last], around) => {
        expect(tests(around(`${first}${line}${last}`))).toBe(true);
      },
    ),
  );
});

test('a pattern as an argument, quoted, in a comment or as a part of a word makes no test run', () => {
  const program = fc.constantFrom('cat', 'grep', 'echo', 'git', 'rg', 'ls', 'vim');
  const hidden = fc.constantFrom<(line: string) => string>(
    (line) => line,
    quoted,
    (line) => `"${line} && ${line}"`,
    (line) => `# ${line}`,
    (line) => `x${line}`,
    (line) => `<<E\n${line}\nE`,
  );
  fc.assert(
    fc.property(
      program,
      fc.array(word, { maxLength: 3 }),
      hidden,
      fc.constantFrom(...usualTests),
      (...said) => {
        const [name, words, hide, line] = said;
        expect(tests([name, ...words, hide(line)].join(' '))).toBe(false);
      },
    ),
  );
});

test('any text is read to its end, whatever stands in it', () => {
  const piece = fc.constantFrom(
    ...'\\\'"`$(){}<>&|;#\n -=aC.',
    '$(',
    '<<',
    '&&',
    'npm ',
    'npx ',
    '-C ',
    'bash -c ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (parts) => {
      const text = parts.join('');
      for (const words of simpleCommands(text)) expect(words.length).toBeGreaterThan(0);
      expect(typeof tests(text)).toBe('boolean');
    }),
    { numRuns: 500 },
  );
  for (const hard of ['npm -C '.repeat(4000), 'npx '.repeat(9000), '$('.repeat(9000), 'npm '.repeat(9000)]) {
    const before = process.cpuUsage();
    expect(tests(hard)).toBe(false);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(30_000);
  }
});
