import { ownValue, setOwnValue } from '@contract/own';
import {
  type MergeConflict as Conflict,
  type Take,
  takesOf,
} from '../../contract/merges/conflict-resolutions';

export interface Choice {
  readonly take: Take;
  /** Only if edited by hand. */
  readonly text?: string;
}
type Choices = Readonly<Record<string, Choice>>;

const TAKES: ReadonlySet<unknown> = new Set<Take>(['ours', 'theirs', 'both', 'by_hand']);

/** Reads saved choices; invalid ones are ignored. */
export function readChoices(text: string): Choices {
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value !== 'object' || value === null) return {};
    const known = Object.entries(value).filter(([, choice]) => isChoice(choice));
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

const isChoice = (value: unknown): value is Choice =>
  typeof value === 'object' && value !== null && 'take' in value && TAKES.has(value.take);

/** Conflicting paths without a decision. */
export const undecided = (conflicts: readonly Conflict[], choices: Choices): string[] =>
  conflicts.flatMap((conflict) => (chosen(conflict, choices) === null ? [conflict.path] : []));

/** The choice for a file, if it is still possible: it may come from an earlier rehearsal. */
export function chosen(conflict: Conflict, choices: Choices): Choice | null {
  const choice = ownValue(choices, conflict.path);
  return choice !== undefined && takesOf(conflict).includes(choice.take) ? choice : null;
}

/** The initial text for editing by hand: both sides, ours first. */
export const byHand = ({ ours, theirs }: Conflict): string =>
  [ours, theirs].filter((text) => text !== null).join('\n');

/** The choices to send: text only if edited by hand, and nothing about files without a conflict. */
export function toSend(conflicts: readonly Conflict[], choices: Choices): Record<string, Choice> {
  const sent: Record<string, Choice> = {};
  for (const conflict of conflicts) {
    const choice = chosen(conflict, choices);
    if (choice === null) continue;
    setOwnValue(
      sent,
      conflict.path,
      choice.take === 'by_hand'
        ? { take: 'by_hand', text: choice.text ?? byHand(conflict) }
        : { take: choice.take },
    );
  }
  return sent;
}
