/**
 * The traffic that `src/main/agents/acp/__captures__` stores as test input. `MUSTER_CAPTURE=1` writes it
 * again; without it, the agents must still send the stored traffic.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GateAnswer } from '@areas/gates/contract/gate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RealAgent, realAgents } from './stage/agents';
import { FINAL, interleaved, kept, kindsIn, readCapture, saveCapture } from './stage/capture';
import { told } from './stage/runs';
import { Stage } from './stage/stage';
import { until } from './stage/until';

const workflow = (profile: string, instruction: string) => `
name: Captured
steps:
  - id: work
    type: step.agent_task
    config: { acp_profile_id: ${profile}, instruction: "${instruction}" }
`;

interface Scene {
  readonly name: string;
  readonly instruction: string;
  readonly answer: GateAnswer;
}

/** The traffic of one turn in which all permission requests get the same answer. */
async function play(agent: RealAgent, { name, instruction, answer }: Scene): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-wire-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const wireFile = join(folder, 'wire.jsonl');
  const stage = await Stage.set(agent, { workflow: workflow(agent.id, instruction), asks: true, wireFile });
  stage.models.script({
    when: ({ prompt, tools }) => prompt.includes('CAPTURE') && tools.length > 0,
    answer: interleaved,
  });
  const runId = await stage.startRun();
  const state = await until('the end of the turn', async () => {
    const gates = (await stage.core.call('gate.list', {})).filter((gate) => gate.runId === runId);
    for (const { gateId } of gates) {
      await stage.core.call('gate.resolve', { runId, gateId, answer }).catch(() => null);
    }
    const now = (await stage.core.call('run.get', { runId })).state;
    return now.status === 'finished' ? now : null;
  });
  expect(state.outcome, told(state)).toBe('succeeded');
  const session = Object.values(state.sessions)[0]?.providerSessionId ?? 'none';
  const folders = { [state.workspace?.path ?? '']: '/work', [stage.folder]: '/stage', [session]: 'S' };
  const capture = kept(readFileSync(wireFile, 'utf8'), folders);
  if (process.env.MUSTER_CAPTURE) saveCapture(agent.id, name, capture);
  return capture;
}

describe.each(realAgents)('$id', (agent) => {
  test('the agent still sends what the capture of interleaved messages and tool calls has', async () => {
    const capture = await play(agent, {
      name: 'interleaved',
      instruction: 'CAPTURE all of it.',
      answer: { option: 'allow' },
    });
    expect(kindsIn(capture)).toEqual(kindsIn(readCapture(agent.id, 'interleaved')));
    expect(FINAL.length).toBeGreaterThan(0);
  });

  test('the agent still sends what the capture of a denied permission has', async () => {
    const capture = await play(agent, {
      name: 'denied',
      instruction: 'Write. EDIT=notes.txt NEW=made',
      answer: { option: 'deny', reason: 'Notes belong into the wiki.' },
    });
    expect(kindsIn(capture)).toEqual(kindsIn(readCapture(agent.id, 'denied')));
  });
});
