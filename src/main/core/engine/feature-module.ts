import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import type { OfType, Typed } from '@contract/run/event-table';
import type { RunEvent } from '@contract/run/events';
import type { RunState, TurnState } from '@contract/run/state';
import type { z } from 'zod';
import type { AnyStepModule } from '../step/module';
import type { EffectParts } from './effects/effect-parts';
import type { LiveRun } from './live-run';

/** Stands in place of an effect: the event starts nothing. */
export const NO_EFFECT = null;

/** What a committed event starts, and how it ended. */
export interface FeatureEffect<E> {
  begin(parts: EffectParts, run: LiveRun, event: E): Promise<void>;
  /** Stands for the result where the effect threw. */
  broken(state: RunState, event: E, error: AppError): RunEvent;
}

/** The effect of each event of a feature: an event without a decision about it does not compile. */
export type FeatureEffects<E extends Typed> = {
  readonly [T in E['type']]: FeatureEffect<OfType<E, T>> | typeof NO_EFFECT;
};

/** The effect of one committed event. */
interface BegunEffect {
  begin(parts: EffectParts, run: LiveRun): Promise<void>;
  broken(state: RunState, error: AppError): RunEvent;
}

/** A tool that Muster gives to agents of its own accord. */
export interface OwnTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
}

export interface OwnToolCall {
  readonly tool: string;
  /** Parsed by the tool's schema. */
  readonly input: unknown;
  /** The newest turn of the session. */
  readonly turnId: number | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What the agent of one session may call. */
export interface OwnTools {
  /** What the agent is in its step, as a noun: refusals name it. */
  readonly role: string;
  readonly tools: readonly OwnTool[];
  /** Pure: its events are committed to the same state, before the text is answered. */
  call(
    state: RunState,
    call: OwnToolCall,
  ): Result<{ readonly events: readonly RunEvent[]; readonly text: string }>;
}

/** What a feature says of the agents of its steps, where it has more to say than the engine knows. */
interface AgentHooks {
  /** Every tool that it gives to any of its agents. */
  tools(): readonly OwnTool[];
  /** The tools of one session; null where it is none of this feature's. */
  toolsOf(state: RunState, sessionId: number): OwnTools | null;
  /** Told to the operator who is asked something during a turn after which its agent stops; null: it continues. */
  stopsAfter(state: RunState, turn: TurnState): string | null;
}

const NO_AGENT_HOOKS: AgentHooks = { tools: () => [], toolsOf: () => null, stopsAfter: () => null };

/** What the engine asks a feature. It knows no other thing of it. */
export interface FeatureModule extends AgentHooks {
  /** Null where the event starts nothing, or is not the feature's. */
  effectOf(event: RunEvent): BegunEffect | null;
  /** After a restart: events whose effect had begun, has no end, and may begin again. */
  recover(state: RunState): readonly RunEvent[];
  /** Something continues that a cancelled run waits for. */
  inFlight(state: RunState): boolean;
  /** What follows from an event, committed with it. */
  react(state: RunState, event: RunEvent): readonly RunEvent[];
  /** A finished step that the operator has asked to continue: what takes it up again. */
  resume(state: RunState): readonly RunEvent[];
  /** What a cancelled run still says of it, once nothing is in flight. */
  atCancel(state: RunState): readonly RunEvent[];
  /**
   * What ends it in a history that stops in the middle. Each batch is folded into the state before the next is made.
   */
  truncate(state: RunState, when: string): Iterable<readonly RunEvent[]>;
  /** Whether the session of a lane takes nothing more for the step. */
  isPastLane(state: RunState, activationId: number, lane: string): boolean;
}

/** Makes a module, and checks its effects against the union of its events. */
export function defineModule<E extends Typed>({
  effects,
  ...module
}: Omit<FeatureModule, 'effectOf' | keyof AgentHooks> &
  Partial<AgentHooks> & { readonly effects: FeatureEffects<E> }): FeatureModule {
  return {
    ...NO_AGENT_HOOKS,
    ...module,
    effectOf(event) {
      // The table is mapped over the union: the entry of a type takes exactly the events of that type.
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
  /** Only where it has events or a state of its own. */
  readonly module?: FeatureModule;
}
