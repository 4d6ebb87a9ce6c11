import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { describe, expect, it } from 'vitest';
import { type RealAgent, realAgents } from './stage/agents';
import { answer, asked, finished, openGate, told } from './stage/runs';
import { Stage } from './stage/stage';
import { until } from './stage/until';

const head = `
name: Coding
steps:
  - id: code
    type: step.coding
    config:`;

const alone = (profile: string, [first, ...then]: readonly string[]) => `${head}
      instruction: ${JSON.stringify(first)}
      agents:
        - { role: builder, acp_profile_id: ${profile}, re_prompts: ${JSON.stringify(then)} }
`;

const TESTS = 'sum.test.mjs';
const ADDED = "test('fails', () => { throw new Error('on purpose'); });";

const output = (state: RunState, port: string) => state.activations[1]?.outputs[port]?.content;

describe.each(realAgents)('$id', (agent) => {
  it('builds in each turn on the files of the one before, and its last test run is told', async () => {
    const workflow = alone(agent.id, [
      `Begin. FILE=${TESTS} TEXT=import { test } from 'node:test';`,
      `Extend it. RUN=cat ${TESTS} && printf '%s\\n' "${ADDED}" >> ${TESTS}`,
      `Test it. RUN=node --test ${TESTS}`,
    ]);
    const stage = await Stage.set(agent, { workflow, ...(process.env.WIRE ? { wireFile: `${process.env.WIRE}.${agent.id}` } : {}) });
    const runId = await stage.startRun();
    const state = await finished(stage, runId);
    console.log(JSON.stringify(state.turns, null, 1), JSON.stringify(state.activations[1]?.outputs, null, 1));
    expect(state.outcome, told(state)).toBe('succeeded');
  });
});
