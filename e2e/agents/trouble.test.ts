import { describe, expect, test } from 'vitest';
import { realAgents } from './stage/agents';
import { answer, finished, openGate, told } from './stage/runs';
import { Stage } from './stage/stage';

const workflow = (profile: string, what: string) => `
name: Trouble
steps:
  - id: work
    type: step.agent_task
    config: { acp_profile_id: ${profile}, instruction: "Work. ${what}" }
`;

async function errorOf(agent: (typeof realAgents)[number], what: string) {
  const stage = await Stage.set(agent, { workflow: workflow(agent.id, what) });
  const state = await finished(stage, await stage.startRun());
  expect(state.outcome, told(state)).toBe('failed');
  return Object.values(state.turns)[0]?.error;
}

describe.each(realAgents)('$id', (agent) => {
  test('an agent waits where its key is refused, and the gate names what to do', async () => {
    const stage = await Stage.set(agent, { workflow: workflow(agent.id, 'STATUS=401') });
    const runId = await stage.startRun();
    await answer(stage, await openGate(stage, runId, 'login'), { option: 'fail' });
    const state = await finished(stage, runId);
    expect([state.outcome, state.turns[1]?.status], told(state)).toEqual(['failed', 'login']);
    expect(state.turns[1]?.error).toMatchObject({
      // Codex reports a rejected key as a missing login if its key is not in the profile.
      code: expect.stringMatching(
        agent.id === 'codex' ? /key_refused|auth_required/ : /^agent\.key_refused$/,
      ),
      mend: expect.stringMatching(/^(?:Set a valid key|Log in with: )/),
    });
  });
});

describe('codex', () => {
  const codex = realAgents.filter(({ id }) => id === 'codex');

  test.each(codex)(
    'codex ends a turn whose stream breaks off with `end_turn`, which is a failure',
    async (agent) => {
      const error = await errorOf(agent, 'MIDWAY=break');
      expect(error).toMatchObject({
        code: 'agent.stream_broken',
        message: expect.stringContaining('disconnected'),
      });
    },
  );
});
