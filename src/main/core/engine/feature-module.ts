import type { AppError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { Result } from '@contract/result';
import type { OfType, Typed } from '@contract/run/event-table';
import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { z } from 'zod';
import type { AnyStepModule } from '../step/module';
import type { EffectParts } from './base/effect-parts';
import type { LiveRun } from './base/live-run';

/** Instead of an effect: the event starts nothing. */
export const NO_EFFECT = null;

/** What a committed event starts, and its result. */
export interface FeatureEffect<E> {
  begin(parts: EffectParts, run: LiveRun, event: E): Promise<void>;
  /** The result if the effect throws, or if its history was cut short (the error is `cancelled`). */
  broken(state: RunState, event: E, error: AppError): RunEvent;
  /**
   * The events whose effects have no end in the state. They begin again after a restart, and a cancelled run
   * waits for them. Absent: the effect has no end to wait for.
   */
  open?(state: RunState): readonly E[];
}

/** The effect of each event of a feature. An event without an entry does not compile. */
export type FeatureEffects<E extends Typed> = {
  readonly [T in E['type']]: FeatureEffect<OfType<E, T>> | typeof NO_EFFECT;
};

/** The effect of one committed event. */
interface BegunEffect {
  begin(parts: EffectParts, run: LiveRun): Promise<void>;
  broken(state: RunState, error: AppError): RunEvent;
}

/** A tool of Muster's own for agents. */
export interface OwnTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
}

export interface OwnToolCall {
  readonly tool: string;
  /** Validated by the tool's schema. */
  readonly input: unknown;
  /** The session's newest turn. */
  readonly turnId: number | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The tools available to the agent of one session. */
export interface OwnTools {
  /** The agent's role in its step, as a noun for refusals. */
  readonly role: string;
  readonly tools: readonly OwnTool[];
  /** Pure: its events are committed on the same state before the answer is sent. */
  call(
    state: RunState,
    call: OwnToolCall,
  ): Result<{ readonly events: readonly RunEvent[]; readonly text: string }>;
}

interface FeatureHooks {
  /** Events that follow from an event; committed with it. */
  react(state: RunState, event: RunEvent): readonly RunEvent[];
  /** The events that restart finished steps that the operator has asked to continue. */
  resume(state: RunState): readonly RunEvent[];
  /**
   * Final events for a cancelled run, once no effect is open. With `isCut` its history was cut short instead,
   * and nothing more will be reported.
   */
  atCancel(state: RunState, how: { readonly isCut: boolean }): readonly RunEvent[];
  /** All tools that it gives to any of its agents. */
  tools(): readonly OwnTool[];
  /** The tools of one session; null if the session is not this feature's. */
  toolsOf(state: RunState, sessionId: number): OwnTools | null;
}

const NO_HOOKS: FeatureHooks = {
  react: () => [],
  resume: () => [],
  atCancel: () => [],
  tools: () => [],
  toolsOf: () => null,
};

/** Everything that the engine asks of a feature. */
export interface FeatureModule extends FeatureHooks {
  /** Null if the event starts nothing, or is not the feature's. */
  effectOf(event: RunEvent): BegunEffect | null;
  /** The events whose effects are open. Each kind is looked for after the reader has dealt with the one before. */
  open(state: RunState): Iterable<RunEvent>;
}

type EffectsByType = Readonly<Record<string, FeatureEffect<RunEvent> | null>>;

/** Creates a module, and checks its effects against the union of its events. */
export function defineModule<E extends Typed>({
  effects,
  ...hooks
}: Partial<FeatureHooks> & { readonly effects: FeatureEffects<E> }): FeatureModule {
  // The table is mapped over the union, so the entry of a type takes exactly the events of that type.
  const table = effects as unknown as EffectsByType;
  return {
    ...NO_HOOKS,
    ...hooks,
    effectOf(event) {
      const effect = ownValue(table, event.type);
      if (effect == null) return null;
      return {
        begin: (parts, run) => effect.begin(parts, run, event),
        broken: (state, error) => effect.broken(state, event, error),
      };
    },
    *open(state) {
      for (const effect of Object.values(table)) yield* effect?.open?.(state) ?? [];
    },
  };
}

/** What a feature registers with the core. */
export interface CoreFeature {
  readonly steps: readonly AnyStepModule[];
  /** Only if it has its own events or state. */
  readonly module?: FeatureModule;
}
