import { err } from '@contract/result';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import type { OwnToolCall, OwnTools } from '@main/core/engine/feature-module';
import { LEAD } from '../contract/events';
import { agentOfLane, LEAD_LANE } from '../contract/lanes/lanes';
import { teamConfigSchema } from './config';
import { type Caller, type ToolResult, teamTools, toolOf } from './tools';

interface AgentPlace {
  readonly activationId: number;
  readonly role: 'lead' | 'member';
  readonly name: string;
}

/** A session's role in a team; null if it is in none. */
function placeOf(state: RunState, sessionId: number): AgentPlace | null {
  const activationId = state.sessions[sessionId]?.activationIds.at(-1) ?? 0;
  const activation = state.activations[activationId];
  const step = activation && stepDefinition(state, activation.stepId);
  if (activation === undefined || step?.type !== 'step.team') return null;
  const lane = Object.entries(activation.lanes).find(([, id]) => id === sessionId)?.[0];
  if (lane === LEAD_LANE) return { activationId, role: 'lead', name: LEAD };
  const name = agentOfLane(state.teams[activationId], lane ?? null);
  return name === null ? null : { activationId, role: 'member', name };
}

/** The team's tools for one session, according to its role; null if it is in no team. */
export function toolsInTeam(state: RunState, sessionId: number): OwnTools | null {
  const place = placeOf(state, sessionId);
  if (place === null) return null;
  const { role } = place;
  return {
    role,
    tools: teamTools().filter((tool) => tool.roles.includes(role)),
    call: (now, toolCall) => call(now, place, toolCall),
  };
}

function call(state: RunState, place: AgentPlace, { tool, input, turnId, now }: OwnToolCall): ToolResult {
  const team = state.teams[place.activationId];
  const stepId = state.activations[place.activationId]?.stepId;
  const config = stepDefinition(state, stepId ?? '')?.config;
  const called = toolOf(tool);
  if (team === undefined || called === undefined || state.status !== 'running')
    return err({ code: 'run.finished', message: 'the team has ended' });
  const caller: Caller = { role: place.role, name: place.name, turnId };
  return called.call({ state, team, config: teamConfigSchema.parse(config), caller, now }, input);
}
