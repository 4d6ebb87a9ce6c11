import type { RunEventOf, RunEventType } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { Style } from './style';

/** A line's subject and text; further lines are indented below. */
export interface Said {
  readonly who: string;
  readonly what: string;
  readonly under?: readonly string[];
}

export interface Telling {
  readonly style: Style;
  readonly again: (...words: string[]) => string;
}
export interface EventContext extends Telling {
  readonly runId: number;
  readonly state: RunState;
}

export type Tell = { readonly [T in RunEventType]: (event: RunEventOf<T>, at: EventContext) => Said | null };
