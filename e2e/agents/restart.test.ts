import type { RunState } from '@contract/run/state';
import { describe, expect, test } from 'vitest';
import { realAgents } from './stage/agents';
import { answer, asked, finished, openGate, told } from './stage/runs';
import { Stage } from './stage/stage';
import { until } from './stage/until';

const workflow = (profile: string) => `
name: In one session
steps:
  - id: draft
    type: step.agent_task
    on_interrupt: retry
    config:
      acp_profile_id: ${profile}
      instruction: "Draft the notes. FILE=notes.txt TEXT=made"
      re_prompts: ["Review the draft. SAY=nothing is missing"]
  - id: approve
    type: step.approval
    config: { message: "Go on?" }
  - id: publish
    type: step.agent_task
    config:
      acp_profile_id: ${profile}
      session_mode: continue
      instruction: "Publish. SAY=published"
cables:
  - { from: draft.data_out, to: approve.data_in }
  - { from: approve.approved_out, to: publish.data_in }
`;

const words = (...texts: string[]) => texts.map((text) => expect.stringContaining(text));

async function events(stage: Stage, runId: number) {
  return (await stage.core.call('run.events', { runId })).map(({ event }) => event);
}

/** The agent itself reported each time that it resumed the earlier conversation. */
async function expectTakenUp(stage: Stage, runId: number, state: RunState): Promise<void> {
  expect(Object.keys(state.sessions)).toHaveLength(1);
  const ready = (await events(stage, runId)).filter((event) => event.type === 'session.ready');
  expect(ready.map(({ fresh, notice }) => ({ fresh, notice }))).toEqual([
    { fresh: true, notice: null },
    { fresh: false, notice: null },
  ]);
  expect(new Set(ready.map(({ providerSessionId }) => providerSessionId)).size).toBe(1);
}

describe.each(realAgents)('$id', (agent) => {
  test('the agent remembers the conversation after a kill -9 of the core between two turns', async () => {
    const stage = await Stage.set(agent, { workflow: workflow(agent.id) });
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'approval');
    await stage.crash();
    await stage.gone();
    await stage.restart();
    await answer(stage, gate, { option: 'approve' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(Object.values(state.turns)).toMatchObject(Array(3).fill({ status: 'completed' }));
    await expectTakenUp(stage, runId, state);
    const [publish] = asked(stage, 'Publish.');
    expect(publish?.prompts).toMatchObject(words('Draft the notes', 'Review the draft', 'Publish.'));
    expect(JSON.stringify(publish?.body)).toContain('nothing is missing');
  });

  test('the agent is asked again, in the same conversation, after a kill -9 in the middle of a turn', async () => {
    const stage = await Stage.set(agent, { workflow: workflow(agent.id) });
    const hangs = { text: 'not all of this answer is ever sent', midway: 'hang' } as const;
    stage.models.script({
      when: ({ prompt, tools }) => prompt.includes('Review') && tools.length > 0,
      answer: hangs,
      times: 1,
    });
    const runId = await stage.startRun();
    await until('half an answer', async () => {
      const { live, items } = await stage.core.call('run.transcript', { runId, turnId: 2 }).catch(() => none);
      return live && items.some((item) => item.type === 'text');
    });
    await stage.crash();
    await stage.gone();
    await stage.restart();
    await answer(stage, await openGate(stage, runId, 'approval'), { option: 'approve' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(Object.values(state.turns)).toMatchObject([
      { status: 'completed' },
      { status: 'interrupted', response: expect.stringMatching(/^not all/) },
      { status: 'completed', resendOf: 2, response: expect.stringContaining('nothing is missing') },
      { status: 'completed' },
    ]);
    await expectTakenUp(stage, runId, state);
    const again = asked(stage, 'Review the draft').at(-1)?.prompts ?? [];
    expect(again[0]).toContain('Draft the notes');
    const times = agent.dropsUnanswered ? 1 : 2;
    expect(again.filter((prompt) => prompt.includes('Review the draft'))).toHaveLength(times);
  });
});

const none = { live: false, items: [] };
