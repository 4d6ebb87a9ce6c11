import type { Usage } from '@areas/sessions/contract/session';
import type { LocalId } from '../../ids';
import { type EventIn, type Kinds, type Reducer, type Reducers, reducerOf, type Typed } from '../event-table';
import type { PlatformEvent, PlatformEventOf } from '../platform-events';
import type { PlatformState, TurnState } from '../platform-state';
import { spent } from '../spend';
import type { TimerState } from '../timer/state';

/** A feature's part of a run's state: one entry for each activation of its step. */
export type Slice<S> = Record<LocalId, S>;

/** Reducers of platform events that also apply to the feature's own part. */
export type Follows<S> = {
  readonly [T in PlatformEvent['type']]?: Reducer<Slice<S>, PlatformEventOf<T>>;
};

/**
 * What a feature says about one of its lanes. The platform acts on these facts alone; one that is absent does not
 * hold.
 */
export interface LaneFacts {
  /** The agent's name in questions to the operator. Absent: its role in the step. */
  readonly name?: string;
  /** The round that the agent works at, or worked at last. */
  readonly round?: number | undefined;
  /** Nothing more is sent or expected there. */
  readonly stopped?: boolean;
  /** Why the agent stops after its turn, for an operator who is asked something during it. */
  readonly stopsAfter?: string;
  /** The agent may not write, whatever its profile allows. */
  readonly reads?: boolean;
  /** If it has failed, it is tried again when the operator resumes the run. */
  readonly resumes?: boolean;
  /** Its session may be parked while the step runs: it is told what it must know when it is resumed. */
  readonly parks?: boolean;
}

/** How a feature's part of an activation is doing. */
export interface Progress {
  /**
   * `works`: work of its own is in progress and ends without the operator. `rests`: it is idle without having
   * ended. `awaits`: no agent works, and one waits for a message of the operator that is not a gate. Only the
   * operator can restart these two. `idle`: its turns and gates say how it is doing.
   */
  readonly is: 'works' | 'rests' | 'awaits' | 'idle';
  /** What a list says about it while no turn is in flight; null if it continues by itself. */
  readonly text: string | null;
  /** The lanes whose agents wait for a message of the operator, whatever the others do. */
  readonly waitingLanes: readonly string[];
}

/** The feature works, or does nothing itself. */
export const worksIf = (works: boolean): Progress => ({
  is: works ? 'works' : 'idle',
  text: null,
  waitingLanes: [],
});

/**
 * What the contract requires of a feature. Reducers see only the feature's own part; status functions also
 * see the platform's state, but never another feature's.
 */
interface FeatureContract<N extends string, S, K extends Kinds> {
  /** The key of its part in a run's state. */
  readonly slice: N;
  readonly events: K;
  readonly reducers: Reducers<Slice<S>, EventIn<K>>;
  readonly follows: Follows<S>;
  /** The maps inside an entry that its reducers modify in place. Absent: they replace entries. */
  readonly maps?: readonly (keyof S & string)[];
  progress(state: PlatformState, entry: S): Progress;
  /** Absent: the platform's rules hold for its lanes, if it has any. */
  lane?(entry: S, lane: string): LaneFacts;
  /** It accepts a hint from the operator when its run is resumed. */
  takesHint?(entry: S): boolean;
  /** Its event with file paths in another folder, for an import; `home` maps a path. */
  moved?(event: EventIn<K>, home: (path: string) => string): EventIn<K>;
  /** The last attempt at a merge of its workers' results; null if there was none. */
  triedMerge?(entry: S, mergeId: number): TriedMerge | null;
  /**
   * Whether a timer of its own has a visible effect, which the operator is told in advance. Its other timers
   * only check, or no longer apply. Null: the timer is not the feature's.
   */
  bringsAbout?(entry: S, purpose: string): boolean | null;
  readonly firstView?: FirstView<S>;
  /** How deliveries report on its step. Absent: they do not. */
  readonly announced?: Announced;
  /**
   * Model usage outside of turns in an event, which counts towards the run's budget. Undefined: no model
   * answered.
   */
  usedBy?(event: EventIn<K>): ModelUse | undefined;
  /** The piece of work that a turn belongs to. Fixed once the turn is sent. */
  pieceOf?(entry: S, turn: TurnState): string | null;
  /** What an event says about a piece of work; the newest statement counts. */
  pieceIn?(entry: S, event: EventIn<K>): Piece | null;
}

/** What the first view of a run leaves out, because a page requests it later. */
interface FirstView<S> {
  /** The entry without it. Does not modify the given one. */
  reduced(entry: S): S;
  /** The events of which the view reads only the last ones. */
  readonly history: History;
}

/** A piece of work whose cost is totalled: an attempt at a story, or a member's round. */
export interface Piece {
  readonly key: string;
  readonly kind: 'story' | 'round';
  /** The same for all attempts at a story. */
  readonly name: string;
  readonly title: string | null;
  /** Accepted by the operator or by the evidence. */
  readonly accepted: boolean;
}

/** A model's usage and its purpose. */
export interface ModelUse {
  readonly activationId: LocalId;
  /** The requesting turn; null if there was none. */
  readonly turnId: LocalId | null;
  readonly model: string;
  /** Null: it was not reported. */
  readonly usage: Usage | null;
  /** Duration. */
  readonly ms: number;
}

interface History {
  readonly step: string;
  readonly event: string;
  readonly keep: number;
}

export interface Announced {
  readonly step: string;
  /** The noun before the step's title. */
  readonly noun: string;
  /** Included when a delivery filter selects only loops. */
  readonly isLoop: boolean;
  /** What was done, according to the final receipt; null if the receipt does not say. */
  done(receipt: Readonly<Record<string, unknown>>): string | null;
}

/** What a merge would bring into the operator's checkout: `commit` into `into` on `branch`. */
export interface TriedMerge {
  readonly branch: string;
  readonly into: string;
  readonly commit: string;
}

type WithSlice<N extends string, S> = { readonly [K in N]: Slice<S> };

/** A feature as seen by the platform: for a whole run, or for one activation. */
interface Feature<N extends string, S, K extends Kinds> {
  readonly slice: N;
  readonly events: K;
  /** A copy of its part in which reducers may modify entries. */
  copied(slice: Slice<S>): Slice<S>;
  /** Null if the event changes nothing in the feature. */
  reducerOf(event: Typed): Reducer<WithSlice<N, S> & Pick<PlatformState, 'spend'>, Typed> | null;
  has(state: WithSlice<N, S>, activationId: LocalId): boolean;
  /** Null if it has no part in the activation. */
  progress(state: PlatformState & WithSlice<N, S>, activationId: LocalId): Progress | null;
  /** The activations in which only the operator can restart it. */
  waiting(state: PlatformState & WithSlice<N, S>): LocalId[];
  /** Null if it has no part in the activation. */
  lane(state: WithSlice<N, S>, activationId: LocalId, lane: string): LaneFacts | null;
  takesHint(state: WithSlice<N, S>, activationId: LocalId): boolean;
  /** Returns the given event if it contains no path in a folder of Muster's. */
  moved<E extends Typed>(event: E, home: (path: string) => string): E;
  triedMerge(state: WithSlice<N, S>, activationId: LocalId, mergeId: number): TriedMerge | null;
  bringsAbout(state: WithSlice<N, S>, timer: Pick<TimerState, 'activationId' | 'purpose'>): boolean | null;
  /** Its reduced part, if something is left out in a first view. */
  atFirstLook(state: WithSlice<N, S>): Partial<WithSlice<N, S>>;
  readonly history: History | null;
  readonly announced: Announced | null;
  /** Undefined if the event is not the feature's, or no model answered. */
  usedBy(event: Typed): ModelUse | undefined;
  pieceOf(state: WithSlice<N, S>, turn: TurnState): string | null;
  pieceIn(state: WithSlice<N, S>, event: Typed): Piece | null;
}

export function defineFeature<N extends string, S, K extends Kinds>(
  feature: FeatureContract<N, S, K>,
): Feature<N, S, K> {
  const { slice, events, reducers, follows } = feature;
  const table = { ...reducers, ...follows } as Reducers<Slice<S>, Typed>;
  const costs = costsOf(feature);
  return {
    slice,
    events,
    copied(entries) {
      const all = Object.entries(entries).map(([id, entry]) => [id, copyOf(entry, feature.maps ?? [])]);
      return Object.fromEntries(all);
    },
    reducerOf(event) {
      const reducer = reducerOf(table, event);
      return (
        reducer &&
        ((state, one, at) => {
          reducer(state[slice], one, at);
          const used = costs.usedBy(one);
          if (used !== undefined) state.spend = spent(state.spend, used.usage);
        })
      );
    },
    has: (state, activationId) => state[slice][activationId] !== undefined,
    ...progressOf(feature),
    lane(state, activationId, lane) {
      const entry = state[slice][activationId];
      return entry === undefined ? null : (feature.lane?.(entry, lane) ?? {});
    },
    takesHint(state, activationId) {
      const entry = state[slice][activationId];
      return entry !== undefined && feature.takesHint?.(entry) === true;
    },
    moved<E extends Typed>(event: E, home: (path: string) => string): E {
      if (feature.moved === undefined || !Object.hasOwn(reducers, event.type)) return event;
      return feature.moved(event as unknown as EventIn<K>, home) as unknown as E;
    },
    triedMerge(state, activationId, mergeId) {
      const entry = state[slice][activationId];
      return entry === undefined ? null : (feature.triedMerge?.(entry, mergeId) ?? null);
    },
    bringsAbout(state, { activationId, purpose }) {
      const entry = state[slice][activationId];
      return entry === undefined ? null : (feature.bringsAbout?.(entry, purpose) ?? null);
    },
    atFirstLook(state) {
      const entries = Object.entries(state[slice]);
      const shown = entries.map(([id, entry]) => [id, feature.firstView?.reduced(entry) ?? entry] as const);
      const isWhole = shown.every(([, entry], index) => entry === entries[index]?.[1]);
      return (isWhole ? {} : { [slice]: Object.fromEntries(shown) }) as Partial<WithSlice<N, S>>;
    },
    history: feature.firstView?.history ?? null,
    announced: feature.announced ?? null,
    ...costs,
  };
}

/** A copy of an entry and of the named maps in it. */
function copyOf<S>(entry: S, maps: readonly (keyof S & string)[]): S {
  return maps.length === 0
    ? entry
    : { ...entry, ...Object.fromEntries(maps.map((name) => [name, { ...entry[name] }])) };
}

function progressOf<N extends string, S, K extends Kinds>(
  feature: FeatureContract<N, S, K>,
): Pick<Feature<N, S, K>, 'progress' | 'waiting'> {
  const { slice } = feature;
  return {
    progress(state, activationId) {
      const entry = state[slice][activationId];
      return entry === undefined ? null : feature.progress(state, entry);
    },
    waiting: (state) =>
      Object.entries(state[slice]).flatMap(([id, entry]) => {
        const { is } = feature.progress(state, entry);
        return is === 'rests' || is === 'awaits' ? [Number(id)] : [];
      }),
  };
}

/** Usage reported by a feature. The platform's events carry their own. */
function costsOf<N extends string, S, K extends Kinds>(
  feature: FeatureContract<N, S, K>,
): Pick<Feature<N, S, K>, 'usedBy' | 'pieceOf' | 'pieceIn'> {
  const { slice, reducers } = feature;
  return {
    usedBy: (event) =>
      Object.hasOwn(reducers, event.type) ? feature.usedBy?.(event as EventIn<K>) : undefined,
    pieceOf(state, turn) {
      const entry = state[slice][turn.activationId];
      return entry === undefined ? null : (feature.pieceOf?.(entry, turn) ?? null);
    },
    pieceIn(state, event) {
      if (feature.pieceIn === undefined || !Object.hasOwn(reducers, event.type)) return null;
      const entry = state[slice][(event as unknown as { readonly activationId: LocalId }).activationId];
      return entry === undefined ? null : feature.pieceIn(entry, event as EventIn<K>);
    },
  };
}
