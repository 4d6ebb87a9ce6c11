import { lazily } from '../../lazy-value';
import { ownValue } from '../../own';
import type { PlatformState } from '../platform-state';

/** Longer names are cut between two words. */
export const RUN_NAME_CHARS = 60;

/** What the name of a run is derived from. */
type NameSource = Pick<PlatformState, 'workflowName' | 'instruction' | 'issue' | 'definition' | 'references'>;

/** A run's name until the operator gives it another: its issue, its instruction, its item, or its workflow. */
export function derivedRunName(source: NameSource): string {
  const { workflowName, instruction, issue } = source;
  if (issue !== undefined) return firstWords(`#${issue.number} ${issue.title}`) ?? workflowName;
  const item = distinctInput(source);
  return (
    firstWords(instruction) ??
    (item === null ? null : firstWords(`${workflowName}: ${firstWords(item) ?? ''}`)) ??
    workflowName
  );
}

const unseen = lazily(() => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu);
/** Marks of Markdown at the start of a line. */
const MARKS = /^(?:(?:#{1,6}|[>*+-])\s+)+/;

/** The first words of a text as one line; null if it has none. */
export function firstWords(text: string): string | null {
  for (const line of text.split('\n')) {
    const words = line.replace(unseen(), ' ').replace(/\s+/g, ' ').trim().replace(MARKS, '');
    if (/[\p{L}\p{N}]/u.test(words)) return cutAtWord(words);
  }
  return null;
}

function cutAtWord(line: string): string {
  const letters = [...line];
  if (letters.length <= RUN_NAME_CHARS) return line;
  const cut = letters.slice(0, RUN_NAME_CHARS - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space < cut.length / 2 ? cut : cut.slice(0, space)).trimEnd()}…`;
}

/** The first input whose value is not the default of the workflow. */
function distinctInput({ definition, references }: NameSource): string | null {
  for (const [name, value] of Object.entries(references.inputs)) {
    const usual = ownValue(definition.inputs ?? {}, name)?.default;
    if (value.trim() !== '' && value !== String(usual ?? '')) return value;
  }
  return null;
}

/**
 * The instruction of a run, for a list and its search. That of New work and `muster do` is the prompt of its
 * only step.
 */
export function shownInstruction({
  instruction,
  sourceFile,
  definition,
}: Pick<PlatformState, 'instruction' | 'sourceFile' | 'definition'>): string {
  if (instruction.trim() !== '' || sourceFile !== null || definition.steps.length !== 1) return instruction;
  const prompt = definition.steps[0]?.config.instruction;
  return typeof prompt === 'string' ? prompt : '';
}
