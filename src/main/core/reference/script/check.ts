// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import type { Problem } from '@contract/errors';
import { written } from '../reference';
import type { PlacedReference, Quoting } from './place';

/** A problem at an offset of the script. */
export interface ScriptProblem extends Pick<Problem, 'code' | 'severity' | 'message' | 'mend'> {
  readonly offset: number;
}

const REFUSED: Record<Exclude<Quoting, 'bare' | 'double' | 'here-document'>, [string, string]> = {
  single: [
    'is in single quotes, where the shell expands nothing',
    'end the single quotes before it, or use double quotes',
  ],
  'quoted-here-document': [
    'is in a here-document with a quoted delimiter, where the shell expands nothing',
    'write the delimiter without quotes, or give the value to the program as a variable or an argument',
  ],
  arithmetic: [
    'is in arithmetic, where the shell would run commands in its text',
    'check it first and compare it with [ ... -eq ... ]',
  ],
  expansion: ['is inside ${...}', 'assign it to a variable first: value=$step.output'],
  backquotes: ['is between backquotes inside quotes', 'use $(...) instead of backquotes'],
};

const SHELLS = /(?:^|\/)(?:ba|da|z|k|a|fi)?sh$|^su$/;
const INTERPRETERS = /(?:^|\/)(?:python[\d.]*|node|perl|ruby|php|osascript|deno|bun)$/;
const CODE_FLAG = /^(?:-[A-Za-z]*[ce]|--eval|--command|-p)$/;
const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly', 'unset', 'read', 'mapfile']);
const WRAPPERS = new Set(['sudo', 'env', 'exec', 'command', 'builtin', 'nohup', 'time']);
const NUMERIC = /^(?:-(?:eq|ne|lt|le|gt|ge))$/;
const NUMERIC_BEHIND = /^["']?[ \t]+-(?:eq|ne|lt|le|gt|ge)\b/;

/** Problems with the positions of references in a script: errors or warnings. */
export function scriptProblems(script: string, placed: readonly PlacedReference[]): readonly ScriptProblem[] {
  return placed.flatMap((one) => problemOf(script, one) ?? []);
}

function problemOf(script: string, one: PlacedReference): ScriptProblem | null {
  const { found, quoting, prefix } = one;
  const name = written(found.reference);
  const offset = found.start;
  if (quoting !== 'bare' && quoting !== 'double' && quoting !== 'here-document') {
    const [why, mend] = REFUSED[quoting];
    return { offset, code: 'validation.script_quotes', severity: 'error', message: `${name} ${why}`, mend };
  }
  if (isEvaluated(script, one)) {
    const [why, mend] = REFUSED.arithmetic;
    return { offset, code: 'validation.script_quotes', severity: 'error', message: `${name} ${why}`, mend };
  }
  if (quoting === 'here-document') return null;
  const words = one.before.filter((word) => !WRAPPERS.has(word) && !/^[A-Za-z_]\w*=/.test(word));
  const run = runsAs(words, prefix);
  if (run === null) return null;
  return {
    offset,
    code: 'validation.script_eval',
    severity: 'warning',
    message: `${name} ${run}`,
    mend: 'pass it as an argument or a variable that the code reads',
  };
}

/** `[[ $a -eq 1 ]]`, `let`, and array indexes: the shell evaluates the text there. */
function isEvaluated(script: string, { found, before, prefix }: PlacedReference): boolean {
  const [first] = before;
  if (first === 'let') return true;
  if (/^[A-Za-z_]\w*\[$/.test(prefix)) return true;
  if (first !== '[[') return false;
  return NUMERIC.test(before.at(-1) ?? '') || NUMERIC_BEHIND.test(script.slice(found.end, found.end + 200));
}

/** How the text becomes code; null if it stays data. */
function runsAs(words: readonly string[], prefix: string): string | null {
  const [first] = words;
  const last = words.at(-1) ?? '';
  if (first === undefined) return prefix === '' ? 'is run as a command' : null;
  if (first === 'eval' || first === 'source' || first === '.' || first === 'trap')
    return `is an argument of ${first}, which runs it as code`;
  const program = words.find((word) => SHELLS.test(word) || INTERPRETERS.test(word));
  if (program !== undefined && CODE_FLAG.test(last))
    return `is an argument of ${program} ${last}, which runs it as code`;
  if (first === 'ssh' && words.length > 1)
    return 'is an argument of ssh, which runs it as code on another machine';
  const names = DECLARING.has(first) && !prefix.includes('=');
  if (names || ((first === 'printf' || first === 'test' || first === '[') && last === '-v'))
    return `is read by ${first} as the name of a variable`;
  return null;
}
