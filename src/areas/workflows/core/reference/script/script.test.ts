// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { spawnSync } from 'node:child_process';
import { ok } from '@contract/result';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scriptProblems } from './check';
import { expandScript } from './expand';
import { scanScript } from './scan';

const SHELLS = ['bash', 'dash'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);

function expanded(script: string, value: string) {
  const placed = scanScript(script);
  const problems = scriptProblems(script, placed).filter(({ severity }) => severity === 'error');
  if (problems.length > 0) throw new Error(problems[0]?.message);
  const made = expandScript({ script, placed }, () => ok(value));
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

/** A shell's output for a script, byte for byte. */
function printed(shell: string, script: string, value: string): string {
  const { script: text, env } = expanded(script, value);
  const run = spawnSync(shell, ['-c', text], { env: { PATH: process.env.PATH, ...env }, encoding: 'buffer' });
  if (run.status !== 0) throw new Error(`${shell} ${run.status}: ${run.stderr}\n${text}`);
  return run.stdout.toString('utf8');
}

/** Every allowed position of a reference; each prints the value between < and >, and nothing else. */
const PLACES: readonly string[] = [
  "printf '<%s>' $a.output",
  'printf "<%s>" "$a.output"',
  'printf %s "<$a.output>"',
  "printf '<%s>' ''$a.output''",
  'x=$a.output; printf "<%s>" "$x"',
  'x=$a.output printf "<%s>" $a.output',
  'export x=$a.output; printf "<%s>" "$x"',
  'printf "<%s>" "$(printf %s $a.output; printf x)" | sed \'$ s/x>$/>/\'',
  'printf "<%s>" "$(printf %s "$a.output"; printf x)" | sed \'$ s/x>$/>/\'',
  'x=$(printf "%s" "$(printf "%s" $a.output; printf x)"); printf "<%s>" "${x%x}"',
  'x=`printf %s $a.output; printf x`; printf "<%s>" "${x%x}"',
  'printf "<"; cat <<EOF\n$a.output>\nEOF\n',
  'printf "<"; cat <<-EOF\n$a.output>\n\tEOF\n',
  'if true; then printf "<"; cat <<A; cat <<B; fi\n$a.output\nA\n>\nB\n',
  'x=$(cat <<EOF\n$a.output>\nEOF\n); printf "<%s\n" "$x"',
  "# don't stop here: $a.output\nprintf '<%s>' $a.output # it's done",
  'case $a.output in "$a.output") printf "<%s>" $a.output;; esac',
  'x=$(case y in y) printf "<%s>" $a.output; printf x;; esac); printf %s "${x%x}"',
  'f() { printf "<%s>" "$1"; }; f $a.output',
  'for one in $a.output; do printf "<%s>" "$one"; done',
  '( printf "<%s>" $a.output )',
  'printf "<%s>" \\\n  $a.output',
  `: "it's"; printf '%s' "<"$a.output'>'`,
  'echo "$$ $# ${#x} \\$a.output" >/dev/null; printf "<%s>" $a.output',
  'sh -c \'printf "<%s>" "$1"\' _ $a.output',
];

const ends = (place: string, shown: string, value: string) => {
  // A here-document ends its last line.
  const text = shown.replace(/>\n$/, '>').replace(/<A;.*/, '');
  return place.includes('cat <<A') ? text.replace(/\n>$/, '>') : text === '' ? value : text;
};

const HOSTILE = [
  '',
  ' ',
  '\n',
  'a b\tc',
  '*',
  '~',
  '$(touch /tmp/muster-was-run)',
  '`id`',
  '"; id; "',
  "'; id; '",
  '\\',
  '\\\\n',
  '$a.output $ARGUMENTS ${x} $1',
  '-n -e',
  '!!',
  '}',
  'EOF',
  '\u001b[31mred',
  'a[$(id)]',
  '(( x ))',
  '# no comment',
  '{a,b}',
  '\r\n',
  'x\n\n',
  '\u202e😀',
];

describe('a reference in a script', () => {
  test('the tests have both shells', () => {
    expect(SHELLS).toEqual(['bash', 'dash']);
  });

  test('any text survives unchanged in every place, in both shells', () => {
    const script = PLACES.map((place) => `{ ${place}\n}\nprintf '\\036'`).join('\n');
    const survives = (value: string) => {
      for (const shell of SHELLS) {
        const shown = printed(shell, script, value).split('\u001e').slice(0, -1);
        expect([value, shown.map((one, at) => ends(PLACES[at] ?? '', one, value))]).toEqual([
          value,
          PLACES.map(() => `<${value}>`),
        ]);
      }
    };
    for (const value of HOSTILE) survives(value);
    const piece = fc.constantFrom(...HOSTILE, '$', '`', '"', "'", '\\', '\n', ' ');
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: 'grapheme' })), { maxLength: 6 })
      .map((parts) => parts.join('').replaceAll('\0', '').replaceAll('\u001e', ''));
    fc.assert(fc.property(text, survives), { numRuns: 5 });
  });

  test('a text with NUL is refused', () => {
    const script = 'echo $a.output';
    const made = expandScript({ script, placed: scanScript(script) }, () => ok('a\0b'));
    expect(made).toMatchObject({ ok: false, error: { code: 'reference.nul' } });
  });

  test('a script without references stays byte for byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'$(){}`"\'\\#<\n ;|&=ab.') }), (script) => {
        expect(expanded(script, 'x')).toEqual({ script, env: {} });
      }),
    );
  });

  test('no script makes the scan throw or hang', () => {
    const part = fc.constantFrom(
      ...[
        '$(',
        '${',
        '$((',
        '((',
        '`',
        '"',
        "'",
        '<<EOF',
        '<<',
        '\n',
        'EOF',
        '\\',
        '$a.output',
        ')',
        '}',
        '#',
      ],
      ...['case x in', 'esac', ' ', ';'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const script = parts.join('');
        for (const { found } of scanScript(script))
          expect(script.slice(found.start, found.end)).toBe('$a.output');
      }),
    );
  });

  test.each([
    ["echo '$a.output'", 'single quotes'],
    ["echo $'it\\'s $a.output'", 'single quotes'],
    ["cat <<'EOF'\n$a.output\nEOF", 'quoted delimiter'],
    ['cat <<"EOF"\n$a.output\nEOF', 'quoted delimiter'],
    ['cat <<\\EOF\n$a.output\nEOF', 'quoted delimiter'],
    ['echo $(( $a.output + 1 ))', 'arithmetic'],
    ['echo $(( $(echo $a.output) + 1 ))', 'arithmetic'],
    ['(( $a.output > 1 ))', 'arithmetic'],
    ['for ((i=0; i<$a.output; i++)); do :; done', 'arithmetic'],
    ['[[ $a.output -eq 1 ]]', 'arithmetic'],
    ['[[ 1 -lt "$a.output" ]]', 'arithmetic'],
    ['let x=$a.output', 'arithmetic'],
    ['list[$a.output]=1', 'arithmetic'],
    ['echo ${x:-$a.output}', '${...}'],
    ['echo "${x:-"$a.output"}"', '${...}'],
    ['echo "`echo $a.output`"', 'backquotes'],
  ])('the script %j is refused', (script, why) => {
    const [problem, ...others] = scriptProblems(script, scanScript(script));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'validation.script_quotes', severity: 'error' });
    expect(problem?.message).toContain(why);
    expect(problem?.offset).toBe(script.indexOf('$a.output'));
  });

  test.each([
    ...PLACES,
    'x=$a.output',
    'list=($a.output b)',
    'cat > $a.output',
    '[ "$a.output" -eq 1 ]',
    '[[ $a.output == x ]]',
    'bash script.sh $a.output',
    'ssh $a.output',
    'git commit -m "$a.output"',
  ])('the script %j has no problem', (script) => {
    expect(scriptProblems(script, scanScript(script))).toEqual([]);
  });
});
