import type { GateAsker } from '@areas/gates/contract/gate';
import type { Usage } from '@areas/sessions/contract/session';
import type { LocalId } from '../../ids';
import { type EventIn, type Kinds, type Reducer, type Reducers, reducerOf, type Typed } from '../event-table';
import type { PlatformEvent, PlatformEventOf } from '../platform-events';
import type { GateState, PlatformState, TimerState, TurnState } from '../platform-state';
import { spent } from '../spend';

/** A feature's part of a run's state: one entry for each activation of its step. */
export type Slice<S> = Record<LocalId, S>;

/** Reducers of platform events that also apply to the feature's own part. */
export type Follows<S> = {
  readonly [T in PlatformEvent['type']]?: Reducer<Slice<S>, PlatformEventOf<T>>;
};

export type AskedBy = Pick<GateState, 'activationId' | 'turnId' | 'about'>;

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
  /** Copies what its reducers modify inside an entry. Absent: they replace entries. */
  copied?(entry: S): S;
  /** Work is in progress that ends without the operator. */
  works(entry: S): boolean;
  /** It is idle without having ended: only the operator can restart it. */
  rests(state: PlatformState, entry: S): boolean;
  /**
   * No agent works, and one waits for a message of the operator that is not a gate. Absent: this never
   * happens.
   */
  awaits?(state: PlatformState, entry: S): boolean;
  /** The agent of this lane waits for such a message, whatever the others do. Absent: none ever does. */
  awaitsIn?(state: PlatformState, entry: S, lane: string): boolean;
  /** The lanes in which nothing is sent or expected any more. */
  stoppedLanes(entry: S): readonly string[];
  /** The lanes whose agents may not write, regardless of their profiles. */
  readingLanes?(entry: S): readonly string[];
  /** Which agent asks at a gate; null if none of its agents does. Absent: derived from the lane's role. */
  requesterOf?(state: PlatformState, entry: S, gate: AskedBy): GateAsker | null;
  /** Display names for stored roles of asking agents. */
  readonly askerTitles?: Readonly<Record<string, string>>;
  /** Lanes that are retried when the operator resumes a run in which they failed. */
  readonly resumedLanes: readonly string[];
  /** Its sessions may be parked while its step runs: it tells a resumed session what it must know. */
  readonly parksMidStep?: boolean;
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
  /** What a list says about it while no turn is in flight; null if it continues by itself. */
  standing?(state: PlatformState, entry: S): string | null;
  /**
   * Its part reduced for a run's first view: without what a page requests later. Does not modify the given
   * part.
   */
  atFirstLook?(entry: S): S;
  /** Events of which the first view of a run reads only the last ones. */
  readonly history?: History;
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
  readonly resumedLanes: readonly string[];
  /** A copy of its part in which reducers may modify entries. */
  copied(slice: Slice<S>): Slice<S>;
  /** Null if the event changes nothing in the feature. */
  reducerOf(event: Typed): Reducer<WithSlice<N, S> & Pick<PlatformState, 'spend'>, Typed> | null;
  has(state: WithSlice<N, S>, activationId: LocalId): boolean;
  works(state: WithSlice<N, S>, activationId: LocalId): boolean;
  /** The activations in which it is idle without having ended. */
  resting(state: PlatformState & WithSlice<N, S>): LocalId[];
  /** The activations in which it waits for a message of the operator that is not a gate. */
  awaiting(state: PlatformState & WithSlice<N, S>): LocalId[];
  awaitsIn(state: PlatformState & WithSlice<N, S>, activationId: LocalId, lane: string): boolean;
  stoppedLanes(state: WithSlice<N, S>, activationId: LocalId): readonly string[];
  readingLanes(state: WithSlice<N, S>, activationId: LocalId): readonly string[];
  /** Undefined if it has no part in the gate's activation, or leaves the answer to the platform. */
  requesterOf(state: PlatformState & WithSlice<N, S>, gate: AskedBy): GateAsker | null | undefined;
  readonly askerTitles: Readonly<Record<string, string>>;
  parksMidStep(state: WithSlice<N, S>, activationId: LocalId): boolean;
  takesHint(state: WithSlice<N, S>, activationId: LocalId): boolean;
  /** Returns the given event if it contains no path in a folder of Muster's. */
  moved<E extends Typed>(event: E, home: (path: string) => string): E;
  triedMerge(state: WithSlice<N, S>, activationId: LocalId, mergeId: number): TriedMerge | null;
  bringsAbout(state: WithSlice<N, S>, timer: Pick<TimerState, 'activationId' | 'purpose'>): boolean | null;
  standing(state: PlatformState & WithSlice<N, S>, activationId: LocalId): string | null;
  /** Its reduced part, if something is left out in a first view. */
  atFirstLook(state: WithSlice<N, S>): Partial<WithSlice<N, S>>;
  readonly history: History | null;
  readonly announced: Announced | null;
  /** Undefined if the event is not the feature's, or no model answered. */
  usedBy(event: Typed): ModelUse | undefined;
  pieceOf(state: WithSlice<N, S>, turn: TurnState): string | null;
  pieceIn(state: WithSlice<N, S>, event: Typed): Piece | null;
}

const activationsIn = <S>(slice: Slice<S>, fits: (entry: S) => boolean): LocalId[] =>
  Object.entries(slice).flatMap(([id, entry]) => (fits(entry) ? [Number(id)] : []));

export function defineFeature<N extends string, S, K extends Kinds>(
  feature: FeatureContract<N, S, K>,
): Feature<N, S, K> {
  const { slice, events, reducers, follows, resumedLanes } = feature;
  const table = { ...reducers, ...follows } as Reducers<Slice<S>, Typed>;
  const costs = costsOf(feature);
  return {
    slice,
    events,
    resumedLanes,
    copied(entries) {
      const all = Object.entries(entries).map(([id, entry]) => [id, feature.copied?.(entry) ?? entry]);
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
    works(state, activationId) {
      const entry = state[slice][activationId];
      return entry !== undefined && feature.works(entry);
    },
    resting: (state) => activationsIn(state[slice], (entry) => feature.rests(state, entry)),
    awaiting: (state) => activationsIn(state[slice], (entry) => feature.awaits?.(state, entry) === true),
    requesterOf(state, gate) {
      const entry = state[slice][gate.activationId ?? 0];
      return entry === undefined ? undefined : feature.requesterOf?.(state, entry, gate);
    },
    askerTitles: feature.askerTitles ?? {},
    parksMidStep: (state, activationId) =>
      feature.parksMidStep === true && state[slice][activationId] !== undefined,
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
    standing(state, activationId) {
      const entry = state[slice][activationId];
      return entry === undefined ? null : (feature.standing?.(state, entry) ?? null);
    },
    atFirstLook(state) {
      const entries = Object.entries(state[slice]);
      const shown = entries.map(([id, entry]) => [id, feature.atFirstLook?.(entry) ?? entry] as const);
      const isWhole = shown.every(([, entry], index) => entry === entries[index]?.[1]);
      return (isWhole ? {} : { [slice]: Object.fromEntries(shown) }) as Partial<WithSlice<N, S>>;
    },
    history: feature.history ?? null,
    announced: feature.announced ?? null,
    ...lanesOf(feature),
    ...costs,
  };
}

/** What a feature says about single lanes. */
function lanesOf<N extends string, S, K extends Kinds>(
  feature: FeatureContract<N, S, K>,
): Pick<Feature<N, S, K>, 'awaitsIn' | 'stoppedLanes' | 'readingLanes'> {
  const { slice } = feature;
  return {
    awaitsIn(state, activationId, lane) {
      const entry = state[slice][activationId];
      return entry !== undefined && feature.awaitsIn?.(state, entry, lane) === true;
    },
    stoppedLanes(state, activationId) {
      const entry = state[slice][activationId];
      return entry === undefined ? [] : feature.stoppedLanes(entry);
    },
    readingLanes(state, activationId) {
      const entry = state[slice][activationId];
      return entry === undefined ? [] : (feature.readingLanes?.(entry) ?? []);
    },
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
