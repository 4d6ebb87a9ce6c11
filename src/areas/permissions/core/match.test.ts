import type { PermissionRequest } from '@areas/gates/contract/gate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleDraft } from '../contract/rule';
import { isSimpleCommand } from './command';
import { matchRules, type RuleContext, ruleMatches } from './match';
import { escapePattern, matchesPattern } from './pattern';
import { matchesPath, placeOf } from './place';
import { proposeRule } from './propose';

const ROOT = '/home/me/work';
const context: RuleContext = {
  profileId: 'worker',
  projectId: 3,
  runId: 7,
  workspaceRoot: ROOT,
  ownCheckout: false,
  now: 1_000,
};
const rule = (more: Partial<RuleDraft> = {}): RuleDraft => ({
  agent: '*',
  tool: '*',
  path: null,
  command: null,
  effect: 'allow',
  reason: '',
  expires_at: null,
  scope: 'everywhere',
  run_id: null,
  project_id: null,
  ...more,
});
const asks = (more: Partial<PermissionRequest> = {}): PermissionRequest => ({
  tool: 'edit',
  title: 'Edit',
  kind: 'edit',
  diffs: [],
  hash: 'h',
  ...more,
});
const runs = (command: string, more: Partial<PermissionRequest> = {}) =>
  asks({ tool: 'execute', kind: 'execute', command, ...more });
const touches = (...paths: string[]) => asks({ paths: paths.map((path) => `${ROOT}/${path}`) });
const answers = (one: RuleDraft, request: PermissionRequest, more: Partial<RuleContext> = {}) =>
  ruleMatches(one, request, { ...context, ...more });

describe('when a rule counts', () => {
  test('a rule counts up to the moment it expires, and no longer', () => {
    const one = rule({ expires_at: 1_000 });
    expect(answers(one, asks(), { now: 999 })).toBe(true);
    expect(answers(one, asks(), { now: 1_000 })).toBe(false);
  });

  test('a rule counts for its agent, its tool, its run and its project', () => {
    expect(answers(rule({ agent: 'worker', tool: 'ed*' }), asks())).toBe(true);
    expect(answers(rule({ agent: 'other' }), asks())).toBe(false);
    expect(answers(rule({ tool: 'write' }), asks())).toBe(false);
    expect(answers(rule({ scope: 'run', run_id: 7 }), asks())).toBe(true);
    expect(answers(rule({ scope: 'run', run_id: 8 }), asks())).toBe(false);
    expect(answers(rule({ scope: 'project', project_id: 3 }), asks())).toBe(true);
    expect(answers(rule({ scope: 'project', project_id: 4 }), asks())).toBe(false);
  });

  test("a rule allows in the operator's own checkout only where it names the project", () => {
    const own = { ownCheckout: true };
    expect(answers(rule(), asks(), own)).toBe(false);
    expect(answers(rule({ scope: 'run', run_id: 7 }), asks(), own)).toBe(false);
    expect(answers(rule({ scope: 'run', run_id: 7, project_id: 3 }), asks(), own)).toBe(true);
    expect(answers(rule({ scope: 'project', project_id: 3 }), asks(), own)).toBe(true);
    expect(answers(rule({ effect: 'deny' }), asks(), own)).toBe(true);
  });

  test('a removed rule does not count, and one that denies wins', () => {
    const allow = { ...rule(), removed_at: null };
    const deny = { ...rule({ effect: 'deny' }), removed_at: null };
    expect(matchRules([allow, deny], asks(), context)).toBe(deny);
    expect(matchRules([allow, { ...deny, removed_at: 5 }], asks(), context)).toBe(allow);
    expect(matchRules([], asks(), context)).toBeNull();
  });
});

describe('files', () => {
  test.each([
    ['src/a.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/er/a.ts', true],
    ['src/**/a.ts', 'src/a.ts', true],
    ['src/**/a.ts', 'src/x/y/a.ts', true],
    ['**/a.ts', 'other/a.ts', true],
    ['src/**', 'source/a.ts', false],
    ['**', '.git/hooks/pre-commit', false],
    ['src/**', 'src/x/.env', false],
    ['.git/**', '.git/config', true],
    ['src/\\*.ts', 'src/*.ts', true],
    ['src/\\*.ts', 'src/a.ts', false],
    ['../work/src/a.ts', 'src/a.ts', false],
  ])('permission for %s covers %s: %s', (path, file, covered) => {
    expect(answers(rule({ path }), touches(file))).toBe(covered);
  });

  test('files must all be covered to be allowed, and one is enough to be denied', () => {
    const request = touches('src/a.ts', 'secret/key');
    expect(answers(rule({ path: 'src/**' }), request)).toBe(false);
    expect(answers(rule({ path: 'secret/*', effect: 'deny' }), request)).toBe(true);
    expect(answers(rule({ path: '**', effect: 'deny' }), touches('.env'))).toBe(true);
    expect(answers(rule({ path: '**' }), asks())).toBe(false);
  });

  test('files of the workspace are matched relative to it, and a relative rule never reaches out of it', () => {
    const at = (path: string) => asks({ paths: [path] });
    expect(answers(rule({ path: '**' }), at('/etc/passwd'))).toBe(false);
    expect(answers(rule({ path: '**' }), at('/home/me/work-too/a'))).toBe(false);
    expect(answers(rule({ path: '**' }), at(`${ROOT}/src/../a`))).toBe(false);
    expect(answers(rule({ path: '**' }), at(`${ROOT}/../other/a`))).toBe(false);
    expect(answers(rule({ path: 'a', effect: 'deny' }), at(`${ROOT}/src/../a`))).toBe(true);
    expect(answers(rule({ path: '/etc/*' }), at('/etc/passwd'))).toBe(true);
    expect(answers(rule({ path: 'src/a' }), at('src/a'))).toBe(true);
  });

  test('files on a drive are divided by either slash', () => {
    const place = placeOf('C:\\work\\src\\a.ts', 'c:\\work');
    expect(matchesPath('src/*.ts', place, { root: 'c:\\work', dots: false })).toBe(true);
    expect(placeOf('D:\\work\\src\\a.ts', 'C:\\work').inside).toBeNull();
    expect(placeOf('/work/a\\b', '/work').inside).toEqual(['a\\b']);
  });

  test('files are never allowed by a rule for commands alone, nor commands by one for files', () => {
    const both = runs('npm test', { diffs: [{ path: `${ROOT}/a`, oldText: null, newText: '' }] });
    expect(answers(rule({ command: 'npm test' }), both)).toBe(false);
    expect(answers(rule({ command: 'npm test', path: 'a' }), both)).toBe(true);
    expect(answers(rule({ path: '**' }), runs('npm test', { paths: [`${ROOT}/a`] }))).toBe(false);
    expect(answers(rule({ path: '**' }), asks({ kind: 'execute', paths: [`${ROOT}/a`] }))).toBe(false);
  });
});

describe('commands', () => {
  test.each([
    ['npm test', true],
    ['  npm test ', true],
    ['npm test -- x', false],
    ['npm test; rm -rf ~', false],
    ['npm test && rm -rf ~', false],
    ['npm test || true', false],
    ['npm test | sh', false],
    ['npm test & rm x', false],
    ['npm test > /etc/x', false],
    ['npm test $(rm x)', false],
    ['npm test `rm x`', false],
    ['npm test\nrm x', false],
    ['npm test\r\nrm x', false],
    ['X=1 npm test', false],
    ['sudo npm test', false],
  ])('permission for `npm test` covers %j: %s', (command, covered) => {
    expect(answers(rule({ command: 'npm test' }), runs(command))).toBe(covered);
  });

  test('commands are never allowed by any rule where they are more than a simple one', () => {
    for (const one of [rule(), rule({ command: '*' })]) {
      expect(answers(one, runs('npm test && rm x'))).toBe(false);
      expect(answers(one, runs('npm test "a; b"'))).toBe(false);
      expect(answers(one, runs('npm test "open'))).toBe(false);
      expect(answers(one, runs('if true'))).toBe(false);
      expect(answers(one, asks({ kind: 'execute' }))).toBe(false);
    }
    expect(answers(rule({ command: 'npm run *' }), runs('npm run build'))).toBe(true);
    expect(answers(rule({ command: 'npm run *' }), runs(`npm run ${'x'.repeat(10_000)}`))).toBe(false);
  });

  test('commands are allowed where they run in the workspace', () => {
    const one = rule({ command: 'npm test' });
    expect(answers(one, runs('npm test', { cwd: `${ROOT}/packages/a` }))).toBe(true);
    expect(answers(one, runs('npm test', { cwd: '/tmp/other' }))).toBe(false);
  });

  test('a denied command is denied in any combination with others', () => {
    const one = rule({ command: 'npm publish*', effect: 'deny' });
    for (const text of [
      'npm publish',
      'true; npm publish --tag x',
      'X=1 npm publish',
      '(npm publish)',
      'echo $(npm publish)',
    ])
      expect([text, answers(one, runs(text))]).toEqual([text, true]);
    expect(answers(one, runs('npm test'))).toBe(false);
    expect(answers(one, touches('a'))).toBe(false);
  });
});

describe('the suggested rule', () => {
  test('a suggested rule is for this agent, this tool, this run, and exactly the request', () => {
    expect(proposeRule(touches('src/[id]*.tsx'), context)).toEqual(
      rule({ agent: 'worker', tool: 'edit', path: 'src/[id]\\*.tsx', scope: 'run', run_id: 7 }),
    );
    expect(proposeRule(runs('rm *.log'), context)).toMatchObject({ command: 'rm \\*.log', path: null });
    expect(proposeRule(touches('src/a/x', 'src/b/y'), context)).toMatchObject({ path: 'src/**' });
    expect(proposeRule(asks({ paths: ['/etc/hosts'] }), context)).toMatchObject({ path: '/etc/hosts' });
    expect(proposeRule(asks(), { ...context, ownCheckout: true })).toMatchObject({
      path: null,
      project_id: 3,
    });
  });

  test('a rule is not suggested where none can allow the request', () => {
    expect(proposeRule(runs('a && b'), context)).toBeNull();
    expect(proposeRule(asks({ paths: [`${ROOT}/../x`] }), context)).toBeNull();
    expect(proposeRule(touches('src/a', '../out'), context)).toBeNull();
    expect(proposeRule(touches('two\nlines'), context)).toBeNull();
  });
});

const text = fc.string({ unit: fc.constantFrom(...'ab*\\/ .;&|$()`<>\n"\''.split('')), maxLength: 24 });
const name = fc.string({ unit: fc.constantFrom(...'ab*\\.-['.split('')), minLength: 1, maxLength: 6 });
const join = fc.constantFrom(';', '&&', '||', '|', '&', '\n', '\r\n', '>', '<', '$(', '`', '(', '{');

describe('any rule', () => {
  test('an escaped text stands for itself alone', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(matchesPattern(escapePattern(one), other)).toBe(one === other);
        expect(matchesPattern('*', one)).toBe(true);
      }),
    );
  });

  test('a pattern says what the same regular expression says', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(pattern, letters, (said, of) => {
        expect(matchesPattern(said, of)).toBe(new RegExp(`^${said.replaceAll('*', '.*')}$`).test(of));
      }),
    );
  });

  test('no rule allows a command with another one joined to it', () => {
    fc.assert(
      fc.property(
        fc.tuple(text, join, text),
        fc.constantFrom('*', 'a*', null),
        ([before, by, after], command) => {
          const whole = `${before}${by}${after}`;
          fc.pre(whole.trim().includes(by.trim() === '' ? '\n' : by.trim()));
          expect(isSimpleCommand(whole)).toBe(false);
          expect(answers(rule({ command }), runs(whole))).toBe(false);
        },
      ),
    );
  });

  test('no relative rule allows what lies outside of the workspace, whatever the path is made of', () => {
    const step = fc.oneof(name, fc.constant('..'), fc.constant('.'), fc.constant(''));
    const glob = fc.oneof(name, fc.constant('*'), fc.constant('**'), fc.constant('..'));
    fc.assert(
      fc.property(
        fc.array(step),
        fc.array(glob, { minLength: 1 }),
        fc.boolean(),
        (steps, globs, absolute) => {
          const path = globs.join('/');
          fc.pre(!path.startsWith('/'));
          const file = absolute ? `/${steps.join('/')}` : `${ROOT}/${steps.join('/')}`;
          const climbs = steps.includes('..');
          const inside = file.startsWith(`${ROOT}/`) && !climbs;
          if (answers(rule({ path }), asks({ paths: [file] }))) expect(inside).toBe(true);
        },
      ),
    );
  });

  test('with dots named or not, a glob is what its definition says', () => {
    const part = fc.constantFrom('a', 'b', '*', '**', '.d');
    const file = fc.array(fc.constantFrom('a', 'b', '.d'), { minLength: 1, maxLength: 5 });
    const slow = (globs: readonly string[], names: readonly string[], dots: boolean): boolean => {
      const [glob, ...rest] = globs;
      const [first, ...others] = names;
      if (glob === undefined) return first === undefined;
      const seen = first !== undefined && (dots || !first.startsWith('.'));
      if (glob === '**') return slow(rest, names, dots) || (seen && slow(globs, others, dots));
      if (first === undefined) return false;
      return (glob === '*' ? seen : glob === first) && slow(rest, others, dots);
    };
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        file,
        fc.boolean(),
        (globs, names, dots) => {
          const place = placeOf(`${ROOT}/${names.join('/')}`, ROOT);
          expect(matchesPath(globs.join('/'), place, { root: ROOT, dots })).toBe(slow(globs, names, dots));
        },
      ),
    );
  });

  test('a suggested rule allows what it was suggested for, and a denial beside it wins', () => {
    const request = fc.oneof(
      text.map((command) => runs(command)),
      fc
        .array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
        .map((files) => touches(...files.map((names) => names.join('/')))),
    );
    fc.assert(
      fc.property(request, fc.boolean(), (asked, first) => {
        const draft = proposeRule(asked, context);
        if (draft === null) return;
        expect(answers(draft, asked)).toBe(true);
        const deny = rule({ effect: 'deny' });
        const rules = first ? [deny, draft] : [draft, deny];
        expect(matchRules(rules, asked, context)).toBe(deny);
      }),
    );
  });
});
