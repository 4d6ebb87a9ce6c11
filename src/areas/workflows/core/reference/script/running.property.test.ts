// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '@contract/result';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { scriptProblems } from './check';
import { expandScript } from './expand';
import { scanScript } from './scan';

const folder = mkdtempSync(join(tmpdir(), 'muster-contexts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Texts that create the file MARK where anything runs them. */
const PAYLOADS = [
  'x$(touch MARK)',
  '$(touch MARK)',
  '`touch MARK`',
  'touch MARK',
  ';touch MARK;',
  '"; touch MARK; "',
  "'; touch MARK; '",
  'a[$(touch MARK)]',
  '1+a[$(touch MARK)]',
  'a[$(touch MARK)]=1',
  '($(touch MARK))',
  '-v a[$(touch MARK)]',
  '-va[$(touch MARK)]',
  'x -exec touch MARK ;',
  'BEGIN{system("touch MARK")}',
  '1e touch MARK',
  '!touch MARK',
  '$(shell touch MARK)',
  'X=$(shell touch MARK)',
  'import os; os.system("touch MARK")',
  'system("touch MARK");',
  'require("child_process").execSync("touch MARK")',
  'x\ntouch MARK\n',
] as const;

/** One statement with a word X. */
const STATEMENTS = [
  'echo X',
  'printf "%s" X',
  'v=X',
  'v=X; echo "$v"',
  'v=X; w=$v; echo $((w))',
  'v=X; eval "$v"',
  'export v=X',
  'declare v=X',
  'declare -i v=X',
  'declare -a v=X',
  'declare -A v=X',
  'declare -n v=X',
  'declare X',
  'declare -i v; v=X',
  'v=(X)',
  'v=([X]=1)',
  'v[X]=1',
  'echo ${v[X]}',
  'echo ${v:X}',
  'unset X',
  'read -r X <<< y',
  'printf -v X y',
  'printf X y',
  'find . -name X -quit',
  'v=X; find . -maxdepth 0 -name $v',
  'v=X; [ $v ]',
  'v=X; timeout 5 $v',
  'v=X; timeout 5 echo $v',
  'test -v X',
  '[ -v X ]',
  '[ X -eq 1 ]',
  '[ -n X ]',
  '[[ -v X ]]',
  '[[ X -eq 1 ]]',
  '[[ 1 -lt X ]]',
  '[[ X == y ]]',
  '[[ y =~ X ]]',
  '[[ -f X ]]',
  'echo $(( X ))',
  'echo $[ X ]',
  '(( X ))',
  'let v=X',
  'for ((i=X; i<1; i++)); do :; done',
  'for v in X; do (( v )); done',
  'for v in X; do echo "$v"; done',
  'case X in y) echo y;; X) echo z;; esac',
  'eval X',
  'eval "echo X"',
  'trap X EXIT',
  '. X',
  'echo X > out.sh; bash out.sh',
  'X',
  'exec X',
  'command X',
  'env X',
  'env v=X true',
  'timeout 5 X',
  'bash -c X',
  'sh -c "echo X"',
  'bash -c \'echo "$1"\' _ X',
  'bash <<< X',
  'bash <<EOF\nX\nEOF\n',
  'cat <<EOF\nX\nEOF\n',
  'cat <<EOF | sh\nX\nEOF\n',
  'echo X | bash',
  'echo X | cat',
  'echo X | tee >(bash) >/dev/null; sleep 0.02',
  'bash <(echo X)',
  'echo X | xargs -0 sh -c',
  'echo X | xargs -0 echo',
  'echo X | xargs -0 -I{} sh -c "echo {}"',
  'awk X /dev/null',
  'awk -v v=X "BEGIN { print v }"',
  'sed X /dev/null',
  'echo y | sed "s/y/X/"',
  'echo y | sed X',
  'find . -maxdepth 0 -exec sh -c X ";"',
  'make -n X',
  'git -c alias.v="!"X v',
  'git -c user.name=X --version',
  'set -- X; (( $1 ))',
  'set -- X; echo "$1"',
  'f() { (( $1 )); }; f X',
  'f() { bash -c "$1"; }; f X',
  'f() { echo "$1"; }; f X',
  'while read -r v; do eval "$v"; done <<< X',
  'while read -r v; do echo "$v"; done <<< X',
  'mapfile -t v <<< X; (( v[0] ))',
  'v=X; echo "${!v}"',
  'v=X; echo "${v@P}"',
  'v=X; echo "${#v}"',
  'PS4=X; set -x; :',
  'compgen -W X',
  'X=1',
  'v=`echo X`; echo "$v"',
  'v=$(echo X | wc -l); (( v ))',
] as const;

/** Around a statement S. */
const AROUND = [
  'S',
  'S',
  '{ S\n}',
  '( S\n)',
  'if true; then S\nfi',
  'for i in 1; do S\ndone',
  'case y in y) S\n;; esac',
  'f2() { S\n}; f2',
  'out=$(S\n)',
  'out=$(S\n); echo "$out"',
  'out=$(S\n); eval "$out"',
  'echo "$(S\n)"',
  '{ S\n} | cat',
  '{ S\n} | bash',
  '{ S\n} > file.sh; bash file.sh',
  'bash <(S\n)',
  ': $(( $(S\n) ))',
  'true && { S\n} || true',
  'cat <<END\n$(S\n)\nEND\n',
] as const;

const script = fc
  .tuple(
    fc.constantFrom(...STATEMENTS),
    fc.constantFrom(
      '$a.output',
      '"$a.output"',
      '"x $a.output"',
      '$(echo $a.output)',
      '"$(cat <<< "$a.output")"',
    ),
    fc.array(fc.constantFrom(...AROUND), { minLength: 1, maxLength: 3 }),
  )
  .map(([statement, word, around]) =>
    around.reduce(
      (inner, outer) => outer.replace(/\bS\b/, () => inner),
      statement.replace(/\bX\b/g, () => word),
    ),
  );

function runs(text: string, payload: string): string | null {
  const placed = scanScript(text);
  const problems = scriptProblems(text, placed);
  if (problems.length > 0) return null;
  const mark = join(folder, 'mark');
  const made = expandScript({ script: text, placed }, () => ok(payload.replaceAll('MARK', () => mark)));
  if (!made.ok) throw new Error(made.error.message);
  for (const shell of ['bash', 'dash']) {
    const env = { PATH: process.env.PATH, ...made.value.env };
    spawnSync(shell, ['-c', made.value.script], { cwd: folder, env, stdio: 'ignore', timeout: 10_000 });
    if (!existsSync(mark)) continue;
    rmSync(mark);
    return shell;
  }
  return null;
}

test.each(STATEMENTS)('In %j no text runs without a problem being told', (statement) => {
  for (const word of ['$a.output', '"$a.output"'])
    for (const payload of PAYLOADS)
      expect([
        payload,
        runs(
          statement.replace(/\bX\b/g, () => word),
          payload,
        ),
      ]).toEqual([payload, null]);
});

test('In any composition of contexts, no text runs in bash or dash without a problem being told', () => {
  fc.assert(
    fc.property(script, fc.constantFrom(...PAYLOADS), (text, payload) => {
      expect([text, payload, runs(text, payload)]).toEqual([text, payload, null]);
    }),
    { numRuns: 1000 },
  );
}, 300_000);

test('A text runs where nothing checks it, so the marks of these tests can be seen', () => {
  const mark = join(folder, 'mark');
  const env = { PATH: process.env.PATH, X: `a[$(touch ${mark})]` };
  spawnSync('bash', ['-c', 'echo $(( X ))'], { cwd: folder, env });
  expect(existsSync(mark)).toBe(true);
  rmSync(mark);
});
