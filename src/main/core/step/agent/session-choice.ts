import { ownValue } from '@contract/own';
import { z } from 'zod';
import type { AgentRef, TurnDecision } from '../decision';
import type { ActivationView, GraphContext, ModuleProblem, SessionUse } from '../module';
import { type AgentChoice, agentRef } from './agent';

export const sessionShape = {
  session_mode: z.enum(['new', 'continue']).default('new'),
  session_persist: z.boolean().default(false),
};
export interface SessionChoice {
  readonly session_mode: 'new' | 'continue';
  readonly session_persist: boolean;
}

export const sessionUse = (config: SessionChoice): SessionUse => ({
  persist: config.session_persist,
  continues: config.session_mode === 'continue',
});

/**
 * With `session_persist`, a re-activation continues in its own session; otherwise `continue` uses that of
 * `data_in`.
 */
export function chooseSession(view: ActivationView<SessionChoice>): TurnDecision['session'] {
  if (view.config.session_persist && view.previousSessionKey !== null) {
    return { kind: 'continue', key: view.previousSessionKey };
  }
  if (view.config.session_mode !== 'continue') return { kind: 'own' };
  return { kind: 'continue', key: view.inputs.data_in?.[0]?.source_session_key ?? null };
}

export function validateSession(config: SessionChoice & AgentChoice, graph: GraphContext): ModuleProblem[] {
  if (config.session_mode !== 'continue') return [];
  const sources = graph.sessionsOf('data_in');
  const [source] = sources;
  const refuse = (message: string): ModuleProblem[] => [
    { code: 'validation.session_continue', severity: 'error', message, path: 'session_mode' },
  ];
  if (source === undefined)
    return refuse('session_mode: continue needs a cable into data_in, whose session it continues');
  if (sources.length > 1) {
    return refuse(
      `session_mode: continue has two candidate sessions: ${sources.map(({ stepId }) => stepId).join(', ')}`,
    );
  }
  const [agent, ...others] = source.agents;
  if (agent === undefined)
    return refuse(`session_mode: continue has no session to continue:  "${source.stepId}" has none`);
  if (others.length > 0) {
    return refuse(
      `session_mode: continue has several candidate sessions: "${source.stepId}" has more than one agent`,
    );
  }
  const wanted = agentRef(config);
  const profile = wanted.profileId ?? graph.defaultProfile;
  const other = agent.profileId ?? graph.defaultProfile;
  if (profile !== null && other !== null && profile !== other)
    return refuse(`session_mode: continue uses a session of "${other}", but the step names "${profile}"`);
  return overridden(wanted, agent, source.stepId);
}

/** A session keeps the model, mode and environment that it was opened with. */
function overridden(wanted: AgentRef, agent: AgentRef, stepId: string): ModuleProblem[] {
  const changed = [
    ...(wanted.model !== null && wanted.model !== agent.model ? ['model'] : []),
    ...(wanted.mode !== null && wanted.mode !== agent.mode ? ['mode'] : []),
    ...Object.keys(wanted.env).filter((name) => ownValue(wanted.env, name) !== ownValue(agent.env, name)),
  ];
  if (changed.length === 0) return [];
  return [
    {
      code: 'validation.session_continue',
      severity: 'warning',
      message: `session_mode: continue uses the session of "${stepId}" as it is: ${changed.join(', ')} of agent_config has no effect`,
      path: 'agent_config',
    },
  ];
}
