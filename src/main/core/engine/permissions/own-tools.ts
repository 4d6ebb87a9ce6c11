import type { Json } from '@contract/ids';
import { ok } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { features } from '@features/core';
import { z } from 'zod';
import type { SessionTools, ToolAnswer } from '../../ports/tools';
import type { EffectParts } from '../base/effect-parts';
import type { LiveRun } from '../base/live-run';
import type { OwnTool, OwnTools } from '../feature-module';

/** Muster's own tool with this name. */
export const ownTool = (name: string): OwnTool | undefined =>
  features.flatMap((feature) => feature.tools()).find((tool) => tool.name === name);

function toolsOf(state: RunState, sessionId: number): OwnTools | null {
  for (const feature of features) {
    const tools = feature.toolsOf(state, sessionId);
    if (tools !== null) return tools;
  }
  return null;
}

/** Whether a session's agent has tools of Muster's own. */
export const hasOwnTools = (state: RunState, sessionId: number): boolean =>
  toolsOf(state, sessionId) !== null;

/** One session's tools, as served; null if its feature has none for it. */
export function sessionTools(
  parts: Pick<EffectParts, 'engine' | 'clock'>,
  run: LiveRun,
  sessionId: number,
): SessionTools | null {
  const own = toolsOf(run.state, sessionId);
  if (own === null) return null;
  return {
    tools: own.tools.map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: z.toJSONSchema(input, { io: 'input' }) as Record<string, Json>,
    })),
    call: (name, input) => call(parts, { run, sessionId, own }, { name, input }),
  };
}

interface Called {
  readonly run: LiveRun;
  readonly sessionId: number;
  readonly own: OwnTools;
}

const failed = (text: string): ToolAnswer => ({ text, isError: true });

/**
 * Looked up, decided and committed on the same state, so that two simultaneous calls cannot claim the same
 * task.
 */
async function call(
  { engine, clock }: Pick<EffectParts, 'engine' | 'clock'>,
  { run, sessionId, own }: Called,
  { name, input }: { readonly name: string; readonly input: unknown },
): Promise<ToolAnswer> {
  const tool = own.tools.find((one) => one.name === name);
  if (tool === undefined) return failed(`there is no tool ${name} for a ${own.role}`);
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return failed(`the input of ${name} is wrong: ${z.prettifyError(parsed.error)}`);
  let text = '';
  const done = await engine.command(run.runId, ({ state }) => {
    const turnId = state.sessions[sessionId]?.turnIds.at(-1) ?? null;
    // An agent that uses a tool is not silent.
    if (state.turns[turnId ?? 0]?.status === 'in_flight') run.heard.set(turnId ?? 0, clock.now());
    const result = own.call(state, { tool: name, input: parsed.data, turnId, now: clock.now() });
    if (!result.ok) return result;
    text = result.value.text;
    return ok(result.value.events);
  });
  if (done.ok) return { text, isError: false };
  const { code, message, mend } = done.error;
  return failed(`${code}: ${message}${mend === undefined ? '' : ` (${mend})`}`);
}
