import { z } from 'zod';
import type { ActivationView, GraphContext, ModuleProblem, SessionUse, TurnDecision } from './module';

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

/** A re-activation goes on in its own session where `session_persist` says so; else `continue` takes that of `data_in`. */
export function chooseSession(view: ActivationView<SessionChoice>): TurnDecision['session'] {
  if (view.config.session_persist && view.previousSessionKey !== null) {
    return { kind: 'continue', key: view.previousSessionKey };
  }
  const key =
    view.config.session_mode === 'continue' ? (view.inputs.data_in?.[0]?.source_session_key ?? null) : null;
  return key === null ? { kind: 'own' } : { kind: 'continue', key };
}

export function validateSession(
  config: SessionChoice & { readonly acp_profile_id: string | null },
  graph: GraphContext,
): ModuleProblem[] {
  if (config.session_mode !== 'continue') return [];
  const sources = graph.sourcesOf('data_in');
  const refuse = (message: string): ModuleProblem[] => [
    { code: 'validation.session_continue', severity: 'error', message, path: 'session_mode' },
  ];
  if (sources.length === 0)
    return refuse('session_mode: continue needs a cable into data_in, whose session it continues');
  if (sources.length > 1) {
    return refuse(
      `session_mode: continue has two candidate sessions: ${sources.map((source) => source.stepId).join(', ')}`,
    );
  }
  if ((sources[0]?.agents ?? 1) > 1) {
    return refuse(
      `session_mode: continue has several candidate sessions: "${sources[0]?.stepId ?? ''}" has more than one agent`,
    );
  }
  const other = sources[0]?.profileId ?? null;
  const own = config.acp_profile_id ?? graph.defaultProfile;
  if (own !== null && other !== null && own !== other) {
    return refuse(`session_mode: continue goes on in a session of "${other}", but the step names "${own}"`);
  }
  return [];
}
