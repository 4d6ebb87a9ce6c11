import { masked, maskedEnv } from '@areas/agents/contract/plain-secrets';
import type { AgentProfile } from '@areas/agents/contract/profile';
import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { Json } from '../ids';
import type { StoredEvent } from './events';
import type { ActivationState, RunState } from './state';

type Profiles = Readonly<Record<string, AgentProfile>>;

const maskedProfiles = (profiles: Profiles): Record<string, AgentProfile> =>
  Object.fromEntries(Object.entries(profiles).map(([id, profile]) => [id, masked(profile)]));

/** The definition without values that look like secrets in any `env`: of a step's agents, lead or members. */
const maskedDefinition = (definition: WorkflowDefinition): WorkflowDefinition => ({
  ...definition,
  steps: definition.steps.map((step) => ({ ...step, config: maskedValues(step.config) })),
});

const maskedCalled = (called: RunState['called']) =>
  called === undefined
    ? {}
    : {
        called: Object.fromEntries(
          Object.entries(called).map(([file, definition]) => [file, maskedDefinition(definition)]),
        ),
      };

const maskedValues = (values: Readonly<Record<string, Json>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      key === 'env' ? maskedVariables(value) : maskedConfig(value),
    ]),
  );

function maskedConfig(value: Json): Json {
  if (Array.isArray(value)) return value.map(maskedConfig);
  return value === null || typeof value !== 'object' ? value : maskedValues(value);
}

function maskedVariables(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const kept = maskedEnv(Object.fromEntries(texts));
  return Object.fromEntries(
    Object.entries(value).filter(([name, text]) => typeof text !== 'string' || Object.hasOwn(kept, name)),
  );
}

/** The event as it leaves the core: without values in profiles and steps that look like secrets. */
export function maskedEvent(stored: StoredEvent): StoredEvent {
  const { event } = stored;
  if (event.type === 'run.started') {
    const definition = maskedDefinition(event.definition);
    return {
      ...stored,
      event: {
        ...event,
        definition,
        ...maskedCalled(event.called),
        profiles: maskedProfiles(event.profiles),
      },
    };
  }
  if (!('env' in event) || event.env === undefined) return stored;
  // Each kind of event has variables of its own kind.
  if (event.type === 'session.starting') {
    const env = maskedEnv(event.env);
    return env === event.env ? stored : { ...stored, event: { ...event, env } };
  }
  const env = maskedEnv(event.env);
  return env === event.env ? stored : { ...stored, event: { ...event, env } };
}

/** References in a script become variables, whose names an operator chose. */
function maskedActivation(activation: ActivationState): ActivationState {
  if (activation.expanded === undefined) return activation;
  const env = maskedEnv(activation.expanded.env);
  if (env === activation.expanded.env) return activation;
  return { ...activation, expanded: { ...activation.expanded, env } };
}

/** The same for a state. */
export const maskedState = (state: RunState): RunState => ({
  ...state,
  definition: maskedDefinition(state.definition),
  ...maskedCalled(state.called),
  profiles: maskedProfiles(state.profiles),
  activations: Object.fromEntries(
    Object.entries(state.activations).map(([id, activation]) => [id, maskedActivation(activation)]),
  ),
  sessions: Object.fromEntries(
    Object.entries(state.sessions).map(([id, session]) => {
      const env = maskedEnv(session.env);
      return [id, env === session.env ? session : { ...session, env }];
    }),
  ),
});
