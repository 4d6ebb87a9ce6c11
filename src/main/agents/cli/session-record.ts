import type { TranscriptItem } from '@areas/sessions/contract/session';
import { z } from 'zod';
import type { TurnRequest } from '../../core/ports/ports';
import type { ShownBefore } from './turn/turn';

/**
 * How far a turn had been typed. Each stage is recorded before it begins, so what is not recorded was not
 * done.
 */
const keptTurnSchema = z.object({
  id: z.number().int(),
  phase: z.enum(['typing', 'entered']),
  /** Bytes of output and inbox when the typing began. */
  printed: z.number().int(),
  told: z.number().int(),
  /** Bytes of output when Enter was pressed, and when that was. */
  enteredAt: z.number().nullable(),
  printedAtEnter: z.number().int().nullable(),
  /** Number of processes below the program before the turn. */
  atRest: z.number().int(),
  /** Why it was asked to end. */
  cause: z.literal('operator').nullable(),
});
export type KeptTurn = z.infer<typeof keptTurnSchema>;

const keptSchema = z.object({
  token: z.string(),
  /** The agent's own id of the conversation. */
  session: z.string().nullable(),
  deaf: z.boolean(),
  /** Number of lines that an unsuccessful turn may have left in its prompt. */
  leftLines: z.number().int(),
  /** The last typed turn. */
  turn: keptTurnSchema.nullable(),
});
/** The record beside a program, for a core that takes it over. */
export type SessionRecord = z.infer<typeof keptSchema>;

/** Null if there is no record, or it is unreadable. */
export function readKept(note: string | null): SessionRecord | null {
  if (note === null) return null;
  try {
    return keptSchema.parse(JSON.parse(note));
  } catch {
    return null;
  }
}

/** A session's state when its core ended. */
export interface SessionLeft {
  readonly leftLines: number;
  /** The last typed turn. */
  readonly typed: KeptTurn | null;
  /** The continuing turn. */
  readonly turn: TurnGoingOn | null;
}

export interface TurnGoingOn {
  readonly request: TurnRequest;
  readonly kept: KeptTurn;
  /** The screen when its typing began. */
  readonly before: ShownBefore;
  /** The items already streamed. */
  readonly streamed: readonly TranscriptItem[];
}

export interface SeenSince {
  /** The record of the turn in flight; null if the last typed one is another. */
  readonly turn: KeptTurn | null;
  /**
   * Since the typing began, the program has reported that it accepted a prompt or used a tool; that it ended
   * a turn.
   */
  readonly reportedWork: boolean;
  readonly reportedEnd: boolean;
  /** It reports each accepted prompt. */
  readonly tellsPrompt: boolean;
  /** Bytes of output so far. */
  readonly printed: number;
  readonly exited: boolean;
}

type Way =
  | { readonly kind: 'unsent' }
  | { readonly kind: 'goes_on' }
  | { readonly kind: 'cut'; readonly reason: string };

/**
 * How to continue a turn whose core has ended. It is resent automatically only if certainly nothing of it was
 * typed, and followed to its end only if the agent has shown that it has it; otherwise it was interrupted,
 * and the reason says what was observed.
 */
export function wayOf({ turn, reportedWork, reportedEnd, tellsPrompt, printed, exited }: SeenSince): Way {
  if (turn === null) {
    if (!exited) return { kind: 'unsent' };
    return { kind: 'cut', reason: 'the program ended before the prompt was typed' };
  }
  if (reportedWork) return { kind: 'goes_on' };
  if (turn.phase === 'typing') {
    // An end reported now may belong to the previous turn.
    const where = exited ? '' : '; it may be in the prompt of the program, which is still running';
    return { kind: 'cut', reason: `the core ended while the prompt was typed, before Enter${where}` };
  }
  // Enter is pressed again if a reporting program has reported nothing.
  if (reportedEnd || tellsPrompt || exited || printed > (turn.printedAtEnter ?? 0))
    return { kind: 'goes_on' };
  return {
    kind: 'cut',
    reason: 'the core ended when Enter was pressed, and the program has printed nothing since',
  };
}

/**
 * Removes items already streamed, each as often as it was streamed: an agent's reports are repeated from the
 * beginning. Streamed items had secrets removed.
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
