import type { Json } from '@contract/ids';
import { own } from '@contract/own';
import { err, ok } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { LEAD } from '@features/team/contract/events';
import { LEAD_LANE, memberLane } from '@features/team/contract/lanes';
import { isPlanning } from '@features/team/contract/status';
import { teamConfigSchema } from '@features/team/core/config';
import { type Caller, teamTools, toolOf } from '@features/team/core/tools';
import { z } from 'zod';
import type { SessionTools, ToolAnswer } from '../ports/tools';
import type { EffectParts } from './effect-parts';
import type { LiveRun } from './live-run';

interface Place {
  readonly activationId: number;
  readonly role: 'lead' | 'member';
  readonly name: string;
}

/** Who a session is in a team; null where it is in none. */
function placeOf(state: RunState, sessionId: number): Place | null {
  const activationId = state.sessions[sessionId]?.activationIds.at(-1) ?? 0;
  const activation = state.activations[activationId];
  const step = state.definition.steps.find((one) => one.id === activation?.stepId);
  if (activation === undefined || step?.type !== 'step.team') return null;
  const lane = Object.entries(activation.lanes).find(([, id]) => id === sessionId)?.[0];
  if (lane === LEAD_LANE) return { activationId, role: 'lead', name: LEAD };
  const team = state.teams[activationId];
  const name = Object.keys(team?.members ?? {}).find((one) => memberLane(one) === lane);
  return name === undefined ? null : { activationId, role: 'member', name };
}

/** Whether a session has the team's tools. */
export const isInTeam = (state: RunState, sessionId: number): boolean => placeOf(state, sessionId) !== null;

/** A read-only member, and one whose plan is not approved yet, may not write, whatever its profile allows. */
export function isReadOnlyMember(state: RunState, sessionId: number): boolean {
  const place = placeOf(state, sessionId);
  if (place?.role !== 'member') return false;
  const member = own(state.teams[place.activationId]?.members, place.name);
  return member !== undefined && (member.readOnly || isPlanning(member));
}

/** The team's tools for one session, scoped to its role; null where it is in no team. */
export function sessionTools(
  parts: Pick<EffectParts, 'engine' | 'clock'>,
  run: LiveRun,
  sessionId: number,
): SessionTools | null {
  const place = placeOf(run.state, sessionId);
  if (place === null) return null;
  return {
    tools: teamTools()
      .filter((tool) => tool.roles.includes(place.role))
      .map(({ name, description, input }) => ({
        name,
        description,
        inputSchema: z.toJSONSchema(input, { io: 'input' }) as Record<string, Json>,
      })),
    call: (name, input) => call(parts, { run, sessionId, place }, { name, input }),
  };
}

interface Called {
  readonly run: LiveRun;
  readonly sessionId: number;
  readonly place: Place;
}

const failed = (text: string): ToolAnswer => ({ text, isError: true });

/** Looked up, decided and committed on one and the same state: two calls at once cannot both claim a task. */
async function call(
  { engine, clock }: Pick<EffectParts, 'engine' | 'clock'>,
  { run, sessionId, place }: Called,
  { name, input }: { readonly name: string; readonly input: unknown },
): Promise<ToolAnswer> {
  const tool = toolOf(name);
  if (tool === undefined || !tool.roles.includes(place.role))
    return failed(`there is no tool ${name} for a ${place.role}`);
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return failed(`the input of ${name} is wrong: ${z.prettifyError(parsed.error)}`);
  let text = '';
  const done = await engine.command(run.runId, ({ state }) => {
    const team = state.teams[place.activationId];
    const stepId = state.activations[place.activationId]?.stepId;
    const config = state.definition.steps.find((step) => step.id === stepId)?.config;
    if (team === undefined || state.status !== 'running')
      return err({ code: 'run.finished', message: 'the team has ended' });
    const turnId = state.sessions[sessionId]?.turnIds.at(-1) ?? null;
    // Who uses a tool is alive, whatever else it shows.
    if (state.turns[turnId ?? 0]?.status === 'in_flight') run.heard.set(turnId ?? 0, clock.now());
    const caller: Caller = { role: place.role, name: place.name, turnId };
    const context = { state, team, config: teamConfigSchema.parse(config), caller, now: clock.now() };
    const result = tool.call(context, parsed.data);
    if (!result.ok) return result;
    text = result.value.text;
    return ok(result.value.events);
  });
  if (done.ok) return { text, isError: false };
  const { code, message, mend } = done.error;
  return failed(`${code}: ${message}${mend === undefined ? '' : ` (${mend})`}`);
}
