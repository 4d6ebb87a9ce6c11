import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import type { OfType, Typed } from '@contract/run/event-table';
import type { RunEvent } from '@contract/run/events';
import type { RunState, TurnState } from '@contract/run/state';
import type { z } from 'zod';
import type { AnyStepModule } from '../step/module';
import type { EffectParts } from './base/effect-parts';
import type { LiveRun } from './base/live-run';

/** Instead of an effect: the event starts nothing. */
export const NO_EFFECT = null;

/** What a committed event starts, and its result. */
export interface FeatureEffect<E> {
  begin(parts: EffectParts, run: LiveRun, event: E): Promise<void>;
  /** The result to use if the effect throws. */
  broken(state: RunState, event: E, error: AppError): RunEvent;
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

/** What a feature adds about the agents of its steps. */
interface AgentHooks {
  /** All tools that it gives to any of its agents. */
  tools(): readonly OwnTool[];
  /** The tools of one session; null if the session is not this feature's. */
  toolsOf(state: RunState, sessionId: number): OwnTools | null;
  /**
   * Told to an operator who is asked something during a turn after which the agent stops; null: the agent
   * continues.
   */
  stopsAfter(state: RunState, turn: TurnState): string | null;
}

const NO_AGENT_HOOKS: AgentHooks = { tools: () => [], toolsOf: () => null, stopsAfter: () => null };

/** Everything that the engine asks of a feature. */
export interface FeatureModule extends AgentHooks {
  /** Null if the event starts nothing, or is not the feature's. */
  effectOf(event: RunEvent): BegunEffect | null;
  /** After a restart: events whose unfinished effects may be repeated. */
  recover(state: RunState): readonly RunEvent[];
  /** Work is in progress that a cancelled run waits for. */
  inFlight(state: RunState): boolean;
  /** Events that follow from an event; committed with it. */
  react(state: RunState, event: RunEvent): readonly RunEvent[];
  /** The events that restart finished steps that the operator has asked to continue. */
  resume(state: RunState): readonly RunEvent[];
  /** Final events for a cancelled run, once nothing is in flight. */
  atCancel(state: RunState): readonly RunEvent[];
  /**
   * The events that end the feature's work in a truncated history. Each batch is folded before the next is
   * made.
   */
  truncate(state: RunState, when: string): Iterable<readonly RunEvent[]>;
  /** Whether a lane's session does nothing more for the step. */
  isPastLane(state: RunState, activationId: number, lane: string): boolean;
}

/** Creates a module, and checks its effects against the union of its events. */
export function defineModule<E extends Typed>({
  effects,
  ...module
}: Omit<FeatureModule, 'effectOf' | keyof AgentHooks> &
  Partial<AgentHooks> & { readonly effects: FeatureEffects<E> }): FeatureModule {
  return {
    ...NO_AGENT_HOOKS,
    ...module,
    effectOf(event) {
      // The table is mapped over the union, so the entry of a type takes exactly the events of that type.
      const effect = effects[event.type as E['type']] as FeatureEffect<RunEvent> | null | undefined;
      if (effect == null) return null;
      return {
        begin: (parts, run) => effect.begin(parts, run, event),
        broken: (state, error) => effect.broken(state, event, error),
      };
    },
  };
}

/** What a feature registers with the core. */
export interface CoreFeature {
  readonly steps: readonly AnyStepModule[];
  /** Only if it has its own events or state. */
  readonly module?: FeatureModule;
}
