import type { GateAsker } from '../gate/gate';
import type { LocalId } from '../ids';
import type { Usage } from '../session/session';
import { type EventIn, type Kinds, type Reducer, type Reducers, reducerOf, type Typed } from './event-table';
import type { PlatformEvent, PlatformEventOf } from './platform-events';
import type { GateState, PlatformState, TimerState, TurnState } from './platform-state';
import { spent } from './spend';

/** A feature's part of the state of a run: an entry for each activation of its step. */
export type Slice<S> = Record<LocalId, S>;

/** Reducers of platform events that a feature folds into its own part as well. */
export type Follows<S> = {
  readonly [T in PlatformEvent['type']]?: Reducer<Slice<S>, PlatformEventOf<T>>;
};

export type AskedBy = Pick<GateState, 'activationId' | 'turnId' | 'about'>;

/**
 * What the contract asks of a feature. Reducers see the feature's own part and nothing else; the questions about its
 * status see the platform's state too, but never another feature.
 */
export interface FeatureContract<N extends string, S, K extends Kinds> {
  /** Where its part is in the state of a run. */
  readonly slice: N;
  readonly events: K;
  readonly reducers: Reducers<Slice<S>, EventIn<K>>;
  readonly follows: Follows<S>;
  /** Copies what its reducers change inside of an entry. Absent: they replace entries. */
  copied?(entry: S): S;
  /** Something of it is under way that ends without the operator. */
  works(entry: S): boolean;
  /** It has come to rest without an end: only the operator can set it going again. */
  rests(state: PlatformState, entry: S): boolean;
  /** None of its agents works, and one waits for a word of the operator that is no gate. Absent: that never happens. */
  awaits?(state: PlatformState, entry: S): boolean;
  /** The lanes in which nothing is sent or waited for any more. */
  stoppedLanes(entry: S): readonly string[];
  /** The lanes whose agents may not write, whatever their profiles allow. */
  readingLanes?(entry: S): readonly string[];
  /** Whose question a gate is; null where it is of none of its agents. Absent: the lane's role says it. */
  askerOf?(state: PlatformState, entry: S, gate: AskedBy): GateAsker | null;
  /** What is shown for the stored name of an asker that is a role. */
  readonly askerTitles?: Readonly<Record<string, string>>;
  /** Lanes that are tried again when the operator resumes a run in which they failed. */
  readonly resumedLanes: readonly string[];
  /** Its sessions may be parked while its step runs: it tells one that is resumed what it must know. */
  readonly parksMidStep?: boolean;
  /** It takes a text of the operator with which it continues when its run is resumed. */
  takesHint?(entry: S): boolean;
  /** An event of its with its files in another folder, as an import needs it; `home` gives the new path. */
  moved?(event: EventIn<K>, home: (path: string) => string): EventIn<K>;
  /** A merge of its workers' results as it was last tried; null where none was. */
  triedMerge?(entry: S, mergeId: number): TriedMerge | null;
  /** A timer of its that does something by itself, which the operator is told of in advance. Others only check. */
  bringsAbout?(entry: S, purpose: string): boolean;
  /** What a list says of it while no turn is in flight; null where it continues by itself. */
  standing?(state: PlatformState, entry: S): string | null;
  /** Its part as a first look at a run shows it: without what a page asks for later. The given one stays as it is. */
  atFirstLook?(entry: S): S;
  /** Events of which a first look at a run reads the last ones only. */
  readonly history?: History;
  /** How deliveries tell of its step. Absent: they do not. */
  readonly announced?: Announced;
  /** What an event says that a model used outside of turns: it counts in the run's budget. Undefined: no model answered. */
  usedBy?(event: EventIn<K>): ModelUse | undefined;
  /** The piece of work that a turn belongs to. Once a turn is sent, this never changes. */
  pieceOf?(entry: S, turn: TurnState): string | null;
  /** What an event says of a piece of work: the newest word counts. */
  pieceIn?(entry: S, event: EventIn<K>): Piece | null;
}

/** A piece of work whose cost is added up: an attempt at a story, a round of a member. */
export interface Piece {
  readonly key: string;
  readonly kind: 'story' | 'round';
  /** Attempts at the same story have the same name. */
  readonly name: string;
  readonly title: string | null;
  /** The operator, or the evidence, accepted it. */
  readonly accepted: boolean;
}

/** What a model used, and for what. */
export interface ModelUse {
  readonly activationId: LocalId;
  /** The turn that asked it; null where none did. */
  readonly turnId: LocalId | null;
  readonly model: string;
  /** Null: it was not reported. */
  readonly usage: Usage | null;
  /** How long it took. */
  readonly ms: number;
}

export interface History {
  readonly step: string;
  readonly event: string;
  readonly keep: number;
}

export interface Announced {
  readonly step: string;
  /** What the step is called before its title. */
  readonly noun: string;
  /** It is in the filter of deliveries that takes loops only. */
  readonly isLoop: boolean;
  /** What was done, from the receipt of its end; null where the receipt does not tell. */
  done(receipt: Readonly<Record<string, unknown>>): string | null;
}

/** What a merge would bring into the operator's checkout: `commit` into `into`, which is on `branch`. */
export interface TriedMerge {
  readonly branch: string;
  readonly into: string;
  readonly commit: string;
}

type WithSlice<N extends string, S> = { readonly [K in N]: Slice<S> };

/** A feature as the platform asks it: about a whole run, or about one activation. */
export interface Feature<N extends string, S, K extends Kinds> {
  readonly slice: N;
  readonly events: K;
  readonly resumedLanes: readonly string[];
  /** Its part, with everything copied that its reducers change in place. */
  copied(slice: Slice<S>): Slice<S>;
  /** Null where the event changes nothing of it. */
  reducerOf(event: Typed): Reducer<WithSlice<N, S> & Pick<PlatformState, 'spend'>, Typed> | null;
  has(state: WithSlice<N, S>, activationId: LocalId): boolean;
  works(state: WithSlice<N, S>, activationId: LocalId): boolean;
  /** The activations in which it has come to rest. */
  resting(state: PlatformState & WithSlice<N, S>): LocalId[];
  /** The activations in which it waits for a word of the operator that is no gate. */
  awaiting(state: PlatformState & WithSlice<N, S>): LocalId[];
  stoppedLanes(state: WithSlice<N, S>, activationId: LocalId): readonly string[];
  readingLanes(state: WithSlice<N, S>, activationId: LocalId): readonly string[];
  /** Undefined where it has no part in the gate's activation, or leaves it to the platform. */
  askerOf(state: PlatformState & WithSlice<N, S>, gate: AskedBy): GateAsker | null | undefined;
  readonly askerTitles: Readonly<Record<string, string>>;
  parksMidStep(state: WithSlice<N, S>, activationId: LocalId): boolean;
  takesHint(state: WithSlice<N, S>, activationId: LocalId): boolean;
  /** The given event where nothing of it is in a folder of Muster's. */
  moved<E extends Typed>(event: E, home: (path: string) => string): E;
  triedMerge(state: WithSlice<N, S>, activationId: LocalId, mergeId: number): TriedMerge | null;
  bringsAbout(state: WithSlice<N, S>, timer: Pick<TimerState, 'activationId' | 'purpose'>): boolean;
  standing(state: PlatformState & WithSlice<N, S>, activationId: LocalId): string | null;
  /** Its part where something of it is left out at first. */
  atFirstLook(state: WithSlice<N, S>): Partial<WithSlice<N, S>>;
  readonly history: History | null;
  readonly announced: Announced | null;
  /** Undefined where the event is none of its, or no model answered. */
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
    stoppedLanes(state, activationId) {
      const entry = state[slice][activationId];
      return entry === undefined ? [] : feature.stoppedLanes(entry);
    },
    readingLanes(state, activationId) {
      const entry = state[slice][activationId];
      return entry === undefined ? [] : (feature.readingLanes?.(entry) ?? []);
    },
    askerOf(state, gate) {
      const entry = state[slice][gate.activationId ?? 0];
      return entry === undefined ? undefined : feature.askerOf?.(state, entry, gate);
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
      return entry !== undefined && feature.bringsAbout?.(entry, purpose) === true;
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
    ...costs,
  };
}

/** What a feature says of usage. Events of the platform that it follows carry their own. */
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
