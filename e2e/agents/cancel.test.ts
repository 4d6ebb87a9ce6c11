import { describe, expect, test } from 'vitest';
import { realAgents } from './stage/agents';
import { finished, told } from './stage/runs';
import { commandsOf, Stage } from './stage/stage';
import { until } from './stage/until';

const workflow = (profile: string, what: string) => `
name: Long work
steps:
  - id: work
    type: step.agent_task
    config: { acp_profile_id: ${profile}, instruction: "Work. ${what}" }
`;

describe.each(realAgents)('$id', (agent) => {
  const set = (what: string) => Stage.set(agent, { workflow: workflow(agent.id, what) });

  test('the agent is gone soon after a cancel while its model is in the middle of an answer', async () => {
    const stage = await set('MIDWAY=hang');
    const runId = await stage.startRun();
    await until('half an answer', async () => {
      const { items } = await stage.core.call('run.transcript', { runId, turnId: 1 }).catch(() => nothing);
      return items.some((item) => item.type === 'text');
    });
    await expectCancel(stage, runId);
  });

  test('the agent is gone, and its command too, soon after a cancel while that runs', async () => {
    const stage = await set('RUN=tail -f /dev/null');
    const runId = await stage.startRun();
    await until('the command', async () => commandsOf(await stage.living()).includes('tail -f /dev/null'));
    await expectCancel(stage, runId);
  });
});

async function expectCancel(stage: Stage, runId: number): Promise<void> {
  await stage.core.call('run.cancel', { runId });
  await stage.gone();
  const state = await finished(stage, runId);
  expect(state.outcome, told(state)).toBe('cancelled');
  expect(Object.values(state.turns)).toMatchObject([{ status: 'cancelled' }]);
}

const nothing = { items: [] };
