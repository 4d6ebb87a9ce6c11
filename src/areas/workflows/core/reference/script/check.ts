// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import type { Problem } from '@contract/errors';
import { written } from '../reference';
import { type Danger, dangersIn } from './follow';
import type { PlacedReference, Quoting } from './place';
import { type ReadScript, readScript } from './syntax';

/** A problem at an offset of the script. */
interface ScriptProblem extends Pick<Problem, 'code' | 'severity' | 'message' | 'mend'> {
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

const MEND: Record<NonNullable<Danger['evaluated']>, string> = {
  arithmetic: REFUSED.arithmetic[1],
  name: 'write the name of the variable in the script, and give the text as its value',
  code: 'call a program with the text as an argument, or compare the text and choose what to run',
  value: 'assign it to a plain variable, and check it before it is used as a number',
};

/** Problems with the positions of references in a script: errors or warnings, at most one for each. */
export function scriptProblems(text: string, placed: readonly PlacedReference[]): readonly ScriptProblem[] {
  const script = readScript(text);
  const [broken] = script.errors;
  const dangers = dangersIn(script);
  return [
    ...(broken === undefined || placed.length === 0 ? [] : [unreadable(broken)]),
    ...placed.flatMap((one) => problemOf(one, dangers) ?? []),
  ];
}

const unreadable = ({ pos, message }: ReadScript['errors'][number]): ScriptProblem => ({
  offset: pos,
  code: 'validation.script_eval',
  severity: 'warning',
  message: `bash cannot read the script here: ${message}. What it would do with references is not known`,
  mend: 'correct the syntax; `bash -n` checks a script without running it',
});

function problemOf({ found, quoting }: PlacedReference, dangers: readonly Danger[]): ScriptProblem | null {
  const name = written(found.reference);
  const offset = found.start;
  if (quoting !== 'bare' && quoting !== 'double' && quoting !== 'here-document') {
    const [why, mend] = REFUSED[quoting];
    return { offset, code: 'validation.script_quotes', severity: 'error', message: `${name} ${why}`, mend };
  }
  const own = dangers.filter((one) => one.offset === offset);
  const danger =
    own.find(({ evaluated, through }) => evaluated !== null && through === null) ??
    own.find(({ through }) => through === null) ??
    own[0];
  if (danger === undefined) return null;
  const { evaluated, through, how } = danger;
  const isRefused = evaluated !== null && through === null;
  return {
    offset,
    code: isRefused ? 'validation.script_quotes' : 'validation.script_eval',
    severity: isRefused ? 'error' : 'warning',
    message: through === null ? `${name} ${how}` : `${name} ${how}; it gets there through ${through}`,
    mend: evaluated === null ? 'pass it as an argument or a variable that the code reads' : MEND[evaluated],
  };
}
