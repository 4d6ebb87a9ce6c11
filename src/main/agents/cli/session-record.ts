import type { TranscriptItem } from '@contract/session/session';
import { z } from 'zod';
import type { TurnRequest } from '../../core/ports/ports';
import type { ShownBefore } from './turn';

/**
 * How far the typing of a turn had come. Each is written down before what it names is begun, so that what is not
 * written has not been done.
 */
const keptTurnSchema = z.object({
  id: z.number().int(),
  phase: z.enum(['typing', 'entered']),
  /** What the program had printed and its inbox had told when the typing began, in bytes. */
  printed: z.number().int(),
  told: z.number().int(),
  /** What it had printed when Enter was pressed, and when that was. */
  enteredAt: z.number().nullable(),
  printedAtEnter: z.number().int().nullable(),
  /** Processes that the program had below it before the turn. */
  atRest: z.number().int(),
  /** Why it was asked to end. */
  cause: z.enum(['operator', 'silence']).nullable(),
});
export type KeptTurn = z.infer<typeof keptTurnSchema>;

const keptSchema = z.object({
  token: z.string(),
  /** The agent's own id of the conversation. */
  session: z.string().nullable(),
  deaf: z.boolean(),
  /** A turn that did not end well may have left so many lines in its prompt. */
  leftLines: z.number().int(),
  /** The last turn that was typed. */
  turn: keptTurnSchema.nullable(),
});
/** What is beside a program, for a core that takes it up again. */
export type SessionRecord = z.infer<typeof keptSchema>;

/** Null where nothing was written, or it cannot be read. */
export function readKept(note: string | null): SessionRecord | null {
  if (note === null) return null;
  try {
    return keptSchema.parse(JSON.parse(note));
  } catch {
    return null;
  }
}

/** How an earlier core left a session. */
export interface SessionLeft {
  readonly leftLines: number;
  /** The last turn that was typed. */
  readonly typed: KeptTurn | null;
  /** The turn that continues. */
  readonly turn: TurnGoingOn | null;
}

export interface TurnGoingOn {
  readonly request: TurnRequest;
  readonly kept: KeptTurn;
  /** The screen when its typing began. */
  readonly before: ShownBefore;
  /** What was told of it already. */
  readonly streamed: readonly TranscriptItem[];
}

export interface SeenSince {
  /** What was kept of the turn that the log has in flight; null where the last one that was typed is another. */
  readonly turn: KeptTurn | null;
  /** Since the typing began the program has told that it took a prompt or used a tool; that it ended a turn. */
  readonly toldWork: boolean;
  readonly toldEnd: boolean;
  /** It tells each prompt that it takes. */
  readonly tellsPrompt: boolean;
  /** What it has printed by now, in bytes. */
  readonly printed: number;
  readonly exited: boolean;
}

export type Way =
  | { readonly kind: 'unsent' }
  | { readonly kind: 'goes_on' }
  | { readonly kind: 'cut'; readonly reason: string };

/**
 * How to continue with a turn whose core has ended. It is sent by itself only where surely nothing of it was typed, and followed
 * to its end only where the agent has shown that it has it; else it was cut off, and the reason says what was seen.
 */
export function wayOf({ turn, toldWork, toldEnd, tellsPrompt, printed, exited }: SeenSince): Way {
  if (turn === null) {
    if (!exited) return { kind: 'unsent' };
    return { kind: 'cut', reason: 'the program ended before the prompt was typed' };
  }
  if (toldWork) return { kind: 'goes_on' };
  if (turn.phase === 'typing') {
    // An end that is told now may be that of the turn before.
    const where = exited ? '' : '; it may be in the prompt of the program, which is still running';
    return { kind: 'cut', reason: `the core ended while the prompt was typed, before Enter${where}` };
  }
  // Enter is pressed once more where a program that tells has not told.
  if (toldEnd || tellsPrompt || exited || printed > (turn.printedAtEnter ?? 0)) return { kind: 'goes_on' };
  return {
    kind: 'cut',
    reason: 'the core ended when Enter was pressed, and the program has printed nothing since',
  };
}

/**
 * Leaves out what was told already, each as often as it was: what an agent has told is heard again from its beginning.
 * What was told had secrets taken out.
 */
export function notAmong(
  told: readonly TranscriptItem[],
  redact: (text: string) => string,
): (item: TranscriptItem) => boolean {
  const left = told.map((item) => JSON.stringify(item));
  return (item) => {
    const at = left.indexOf(redact(JSON.stringify(item)));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  };
}
