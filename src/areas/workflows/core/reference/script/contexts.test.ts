// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { expect, test } from 'vitest';
import { scriptProblems } from './check';
import { scanScript } from './scan';

const problemsOf = (script: string) => scriptProblems(script, scanScript(script));

/** What the shell itself evaluates. */
const EVALUATED = [
  'echo $(( $a.output + 1 ))',
  'echo $(( $(echo $a.output) + 1 ))',
  'echo $[ $a.output + 1 ]',
  'echo "$[ $a.output ]"',
  '(( $a.output > 1 ))',
  'for ((i=0; i<$a.output; i++)); do :; done',
  'let x=$a.output',
  'let "x = $a.output"',
  '[[ $a.output -eq 1 ]]',
  '[[ 1 -lt "$a.output" ]]',
  '[[ $(echo $a.output) -eq 1 ]]',
  '[[ x == y || "$a.output" -ge 3 ]]',
  '[[ -v $a.output ]]',
  '[[ -v "list[$a.output]" ]]',
  '[ -v "$a.output" ]',
  'test -v $a.output',
  'list[$a.output]=1',
  'echo ${list[$a.output]}',
  'list=([$a.output]=1)',
  'list=([$(echo $a.output)]=1)',
  'echo ${text:$a.output:2}',
  'declare -i x=$a.output',
  'typeset -i x=$a.output',
  'f() { local -i x=$a.output; }; f',
  'readonly -i x=$a.output',
  'declare -i x; x=$a.output',
  'declare -i x; for x in $a.output; do :; done',
  'declare -n x=$a.output',
  'declare -a x="$a.output"',
  'declare $a.output',
  'export "$a.output"',
  'unset $a.output',
  'unset "list[$a.output]"',
  'read -r $a.output',
  'printf -v $a.output x',
  'mapfile -t "$a.output"',
  'printf $a.output x',
  '[ -n $(echo $a.output) ]',
  'getopts ab "$a.output"',
  'eval $a.output',
  'eval "echo $a.output"',
  'builtin eval "$a.output"',
  'command eval "$a.output"',
  '. $a.output',
  'source "$a.output"',
  '. <(echo "$a.output")',
  'source /dev/stdin <<< "$a.output"',
  'trap "$a.output" EXIT',
  'true && eval "$(cat <<EOF\n$a.output\nEOF\n)"',
];

/** What a program runs that gets the text. */
const RUN: readonly (readonly [script: string, program: string])[] = [
  ['$a.output --help', 'command'],
  ['true && $a.output', 'command'],
  ['exec $a.output', 'command'],
  ['timeout 5 $a.output', 'command'],
  ['sudo -u me "$a.output"', 'command'],
  ['sh -c "echo $a.output"', 'sh'],
  ['bash -lc "x $a.output"', 'bash'],
  ['/bin/dash -c "$a.output"', 'dash'],
  ['zsh -c "$a.output"', 'zsh'],
  ['ksh -c "$a.output"', 'ksh'],
  ['sudo bash -lc "x $a.output"', 'bash'],
  ['env LANG=C sh -c "$a.output"', 'sh'],
  ['nice -n 5 sh -c "$a.output"', 'sh'],
  ['timeout -k 1 5 bash -c "$a.output"', 'bash'],
  ['nohup bash -c "$a.output" &', 'bash'],
  ['exec bash -c "$a.output"', 'bash'],
  ['time bash -c "$a.output"', 'bash'],
  ['env -S "$a.output"', 'env'],
  ['su -c "$a.output" me', 'su'],
  ['bash <<EOF\n$a.output\nEOF', 'bash'],
  ['sh -s <<EOF\n$a.output\nEOF', 'sh'],
  ['bash <<< "$a.output"', 'bash'],
  ['bash -s one two <<< $a.output', 'bash'],
  ['cat <<EOF | sh\n$a.output\nEOF', 'sh'],
  ['cat <<EOF | tee log | sudo bash\n$a.output\nEOF', 'bash'],
  ['echo "$a.output" | bash', 'bash'],
  ['printf %s $a.output | tr a b | sh -x', 'sh'],
  ['echo "$a.output" | tee >(bash)', 'bash'],
  ['bash <(echo "$a.output")', 'bash'],
  ['bash < <(echo "$a.output")', 'bash'],
  ['{ cat; } <<EOF | sh\n$a.output\nEOF', 'sh'],
  ['{ sh; } <<EOF\n$a.output\nEOF', 'sh'],
  ['(bash) <<< "$a.output"', 'bash'],
  ['f() { bash; }; echo "$a.output" | f', 'bash'],
  ['x=$(echo "$a.output" | bash)', 'bash'],
  ['bash -c "$(cat <<EOF\n$a.output\nEOF\n)"', 'bash'],
  ['python3 -c "print($a.output)"', 'python3'],
  ['python3 - <<EOF\nprint("$a.output")\nEOF', 'python3'],
  ['python <<EOF\n$a.output\nEOF', 'python'],
  ['node -e "console.log($a.output)"', 'node'],
  ['node --eval "$a.output"', 'node'],
  ['node <<EOF\n$a.output\nEOF', 'node'],
  ['perl -ne "print if /$a.output/" file', 'perl'],
  ['ruby -e "puts $a.output"', 'ruby'],
  ['php -r "$a.output"', 'php'],
  ['awk "{ print $a.output }" file', 'awk'],
  ['gawk -F, "$a.output" file', 'gawk'],
  ['awk -f <(echo "$a.output") file', 'awk'],
  ['sed "s/x/$a.output/" file', 'sed'],
  ['sed -n -e "$a.output" file', 'sed'],
  ['make X=$a.output', 'make'],
  ['make -f - <<EOF\nall: $a.output\nEOF', 'make'],
  ['X="$a.output" make all', 'make'],
  ['find . | xargs sh -c "echo $a.output"', 'sh'],
  ['echo "$a.output" | xargs sh -c', 'sh'],
  ['echo "$a.output" | xargs -I{} sh -c "echo {}"', 'sh'],
  ['echo "$a.output" | xargs -I % bash -c "echo %"', 'bash'],
  ['find . -exec sh -c "echo $a.output" \\;', 'sh'],
  ['ssh host "ls $a.output"', 'ssh'],
  ['ssh -p 22 me@host ls "$a.output"', 'ssh'],
  ['ssh host <<EOF\n$a.output\nEOF', 'ssh'],
  ['ssh -o "ProxyCommand=$a.output" host', 'ssh'],
  ['git -c alias.x="!$a.output" x', 'git'],
  ['git -c core.pager="$a.output" log', 'git'],
  ['git config alias.x "$a.output"', 'git'],
  ['git rebase --exec "$a.output" main', 'git'],
  ['git submodule foreach "$a.output"', 'git'],
  ['docker run --rm image sh -c "$a.output"', 'sh'],
  ['echo "$a.output" | docker exec -i box bash', 'bash'],
  ['kubectl exec pod -- bash -c "$a.output"', 'bash'],
  ['watch "$a.output"', 'watch'],
  ['sqlite3 db <<EOF\n$a.output\nEOF', 'sqlite3'],
  ['psql -c "$a.output"', 'psql'],
  ['tar cf x.tar --checkpoint-action="exec=$a.output" .', 'tar'],
  ['BASH_ENV=$a.output bash script.sh', 'BASH_ENV'],
  ['export PS4="$a.output"; set -x', 'PS4'],
  ['compgen -W "$a.output"', 'compgen'],
  ['env v=$(echo $a.output) true', 'is split into words'],
  ['find . -name $(echo $a.output)', 'is split into words'],
];

/** The same, through a variable, an argument, a function or a file of the script. */
const THROUGH = [
  'x=$a.output; (( x > 1 ))',
  'x=$a.output; echo $(( $x + 1 ))',
  'x=$a.output; y="$x"; [[ $y -gt 1 ]]',
  'x=$a.output; echo ${list[$x]}',
  'x=$a.output; echo "${!x}"',
  'x=$a.output; echo "${x@P}"',
  'x=$a.output; eval "$x"',
  'x=$a.output; bash -c "$x"',
  'x=$(echo "$a.output" | tr a b); echo "$x" | sh',
  'read -r x <<< "$a.output"; (( x ))',
  'while read -r x; do eval "$x"; done <<EOF\n$a.output\nEOF',
  'for x in $a.output; do sh -c "$x"; done',
  'mapfile -t lines <<< "$a.output"; bash -c "${lines[0]}"',
  'set -- "$a.output"; (( $1 ))',
  'f() { (( $1 > 2 )); }; f $a.output',
  'f() { local n=$1; echo $((n)); }; f "$a.output"',
  'printf -v x %s "$a.output"; let x',
  'f() { echo $a.output; }; f | bash',
  'cat > run.sh <<EOF\n$a.output\nEOF\nbash run.sh',
  'echo "$a.output" > run.sh; . ./run.sh',
  'echo "$a.output" | tee run.sh; ./run.sh',
];

const HARMLESS = [
  'echo $a.output',
  'printf "%s\\n" "$a.output" > notes.txt',
  'cat <<EOF\n$a.output\nEOF',
  'cat <<EOF > notes.md\n$a.output\nEOF',
  'cat <<EOF | grep x | sort\n$a.output\nEOF',
  'git commit -F - <<EOF\n$a.output\nEOF',
  'tee notes.txt <<< "$a.output"',
  'echo "$a.output" | wc -l',
  'n=$(echo "$a.output" | wc -l); (( n > 3 ))',
  'n=$(printf %s "$a.output" | grep -c x); [[ $n -gt 0 ]]',
  '[ "$a.output" -eq 1 ]',
  'test "$a.output" -gt 2',
  '[[ $a.output == x ]]',
  '[[ "$a.output" =~ ^[0-9]+$ ]]',
  '[[ -f $a.output ]]',
  '[[ -n "$a.output" && $x -eq 1 ]]',
  'case $a.output in y*) echo yes;; esac',
  'x=$a.output',
  'export x=$a.output',
  'local x="$a.output"',
  'list=($a.output b)',
  'echo ${#x} $a.output',
  'cat > $a.output',
  'bash script.sh $a.output',
  'bash -c \'printf %s "$1"\' _ $a.output',
  'sudo env X="$a.output" ./tool',
  'python3 script.py "$a.output"',
  'python3 -m tool "$a.output"',
  'echo "$a.output" | python3 script.py',
  'echo "$a.output" | bash -c \'cat\'',
  'node app.js --text "$a.output"',
  'awk -v x="$a.output" \'{ print x }\' file',
  'awk \'{ print }\' "$a.output"',
  'echo "$a.output" | awk \'{ print $1 }\'',
  'echo "$a.output" | sed s/a/b/',
  'echo "$a.output" | jq .name',
  'jq --arg x "$a.output" \'.x = $x\' file',
  'echo "$a.output" | xargs rm -f',
  'find . -name "$a.output"',
  'find . -exec grep "$a.output" {} +',
  'grep -e "$a.output" python',
  'ssh $a.output',
  'git commit -m "$a.output"',
  'git -c user.name="$a.output" commit -m x',
  'gh pr create --title x --body "$a.output"',
  'curl -d "$a.output" https://example.org',
  'docker run --rm image tool "$a.output"',
  'for one in $a.output; do echo "$one"; done',
  'while read -r line; do echo "$line"; done <<< "$a.output"',
  'diff <(echo "$a.output") file',
  "trap 'rm -f tmp' EXIT; echo $a.output",
  'f() { echo "$1"; }; f $a.output',
  '( cd src && npm test -- "$a.output" )',
  'read -r x <<< "$a.output"; echo "$x"',
  'echo $a.output # eval it',
  'x=1; (( x > 0 )) && echo $a.output',
];

test('the tables of contexts are long', () => {
  expect(EVALUATED.length + RUN.length + THROUGH.length + HARMLESS.length).toBeGreaterThan(180);
});

test.each(EVALUATED)('the script %j is refused, because the shell evaluates the text', (script) => {
  const [problem] = problemsOf(script);
  expect(problem).toMatchObject({ code: 'validation.script_quotes', severity: 'error' });
  expect(problem?.message).toMatch(/^\$a\.output is .+$/);
  expect(problem?.mend).toBeTruthy();
  expect(problem?.offset).toBe(script.indexOf('$a.output'));
});

test.each(RUN)('the script %j gets a warning that names %s', (script, program) => {
  const [problem, ...others] = problemsOf(script);
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ code: 'validation.script_eval', severity: 'warning' });
  expect(problem?.message).toContain(program);
  expect(problem?.offset).toBe(script.indexOf('$a.output'));
});

test.each(THROUGH)('the script %j gets a warning that says through what the text gets there', (script) => {
  const [problem, ...others] = problemsOf(script);
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ code: 'validation.script_eval', severity: 'warning' });
  expect(problem?.message).toMatch(/it gets there through the .+$/);
});

test.each(HARMLESS)('the script %j has no problem', (script) => {
  expect(problemsOf(script)).toEqual([]);
});

test('A script that bash cannot read gets a warning at the place, once', () => {
  expect(problemsOf('echo "$a.output" && (')).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('bash cannot read the script here') },
  ]);
  expect(problemsOf('echo (')).toEqual([]);
});
