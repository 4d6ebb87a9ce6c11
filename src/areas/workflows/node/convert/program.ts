import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { BUILT_IN, written } from '../../core/reference/reference';
import { type ConvertedNode, type NodeContext, notCarriedOver } from './node-context';
import { withReferences } from './texts';
import { listAt, numberAt, type Raw, textAt } from './untrusted-value';

/** Archon's default in milliseconds. */
const ARCHON_TIMEOUT = 120_000;

/** Archon's timeout in milliseconds; 0 is none. */
export function timeoutOf(node: Raw, { report }: NodeContext): Record<string, Json> {
  const ms = numberAt(node, 'timeout');
  const seconds = Math.max(1, Math.ceil((ms ?? ARCHON_TIMEOUT) / 1000));
  if (ms === 0) report.changed('timeout', 'no timeout_seconds: the step has no time limit');
  else if (ownValue(node, 'timeout') !== undefined) report.changed('timeout', `timeout_seconds: ${seconds}`);
  return ms === 0 ? {} : { timeout_seconds: seconds };
}

/** Texts of persons, which Archon gives to a program as variables of its environment and never writes into its code. */
const IN_ENVIRONMENT = new Set([
  ...['ARGUMENTS', 'USER_MESSAGE', 'LOOP_USER_INPUT', 'LOOP_PREV_OUTPUT', 'REJECTION_REASON'],
]);

/** `script`: code in another language, or a file with it. */
export function convertProgram(node: Raw, context: NodeContext): ConvertedNode {
  const code = textAt(node, 'script') ?? '';
  const { report } = context;
  if (splices(code, context)) {
    const why = 'its references stand in program code, where text would be run as code';
    return notCarriedOver('script', why, context);
  }
  if (ownValue(node, 'runtime') !== undefined) report.changed('runtime', 'part of the script');
  if (ownValue(node, 'deps') !== undefined) report.changed('deps', 'part of the script');
  const usesUv = textAt(node, 'runtime') === 'uv';
  const runtime = usesUv ? 'uv' : 'bun';
  const isCode = /[\s;(){}&|<>$`"']/.test(code);
  const deps = listAt(node, 'deps').map((dep) => ` --with ${quoted(String(dep))}`);
  const run = usesUv ? `uv run${deps.join('')}${isCode ? ' python -c' : ''}` : `bun ${isCode ? '-e' : 'run'}`;
  const file = `.archon/scripts/${code}.${usesUv ? 'py' : 'ts'}`;
  const given = environmentOf(code, context);
  report.changed(
    'script',
    isCode ? `step.command that runs it with ${runtime}${given.how}` : `step.command that runs ${file}`,
  );
  return {
    type: 'step.command',
    config: {
      script: `${given.prefix}${run} ${quoted(isCode ? code : file)}\n`,
      terminal: false,
      ...timeoutOf(node, context),
    },
  };
}

/** Whether Archon would write values into the code. */
function splices(code: string, { names }: NodeContext): boolean {
  let found = false;
  withReferences(code, ({ reference }) => {
    if (reference.kind === 'variable') found ||= !IN_ENVIRONMENT.has(reference.name);
    else found ||= reference.kind !== 'input' && names.ids.has(reference.step);
    return '';
  });
  return found;
}

interface Environment {
  readonly prefix: string;
  readonly how: string;
}

/** The variables that the code reads; Muster sets ARGUMENTS itself. */
function environmentOf(code: string, { names }: NodeContext): Environment {
  const reads = (name: string) => new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`).test(code);
  const set: string[] = [];
  const argument = names.argument === null ? '$ARGUMENTS' : `$INPUTS.${names.argument}`;
  if (reads('USER_MESSAGE')) set.push(`USER_MESSAGE="${argument}"`);
  if (names.argument !== null && reads('ARGUMENTS')) set.push(`ARGUMENTS="${argument}"`);
  for (const name of names.variables) if (reads(name)) set.push(`${name}="$${name}"`);
  const literal = [...BUILT_IN, ...IN_ENVIRONMENT].some((name) => code.includes(`$${name}`));
  return {
    prefix: set.map((one) => `${one} `).join(''),
    how: literal ? '; names such as $ARGUMENTS stay in the code, as in Archon' : '',
  };
}

/** In single quotes, with references outside of them: neither the shell nor Muster replaces those. */
const quoted = (text: string): string =>
  `'${withReferences(text.replace(/'/g, "'\\''"), ({ reference }) => `'\\${written(reference)}'`)}'`;
