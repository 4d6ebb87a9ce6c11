import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, asked, finished, openGate, told } from './stage/runs';
import { Stage } from './stage/stage';
import { terminalAgents } from './stage/terminal-agents';
import { until } from './stage/until';

/** Claude Code and Codex as interactive programs in a terminal, with their own signal at the end of a turn. */
const work = (profile: string, config: string) => `
name: In a terminal
steps:
  - id: work
    type: step.agent_task
    on_interrupt: retry
    config: { acp_profile_id: ${profile}, ${config} }
`;

const twice = (profile: string) =>
  work(profile, 'instruction: "Draft.\\nFILE=notes.txt TEXT=made", re_prompts: ["Look. RUN=cat notes.txt"]');

const continued = (profile: string) => `
name: In one terminal session
steps:
  - id: draft
    type: step.agent_task
    config: { acp_profile_id: ${profile}, instruction: "Draft the notes. SAY=drafted" }
  - id: approve
    type: step.approval
    config: { message: "Go on?" }
  - id: publish
    type: step.agent_task
    config: { acp_profile_id: ${profile}, session_mode: continue, instruction: "Publish. SAY=published" }
cables:
  - { from: draft.data_out, to: approve.data_in }
  - { from: approve.approved_out, to: publish.data_in }
`;

async function notices({ core }: Stage, runId: number, turnId: number): Promise<string[]> {
  const { items } = await core.call('run.transcript', { runId, turnId }).catch(() => ({ items: [] }));
  return items.flatMap((item) => (item.type === 'notice' ? [item.text] : []));
}

async function terminals({ core }: Stage, runId: number) {
  const places = await core.call('session.list', {});
  return places.find((place) => place.runId === runId)?.terminals ?? [];
}

describe.each(terminalAgents)('$id', (agent) => {
  test('the agent does two turns in one session of its terminal, and reports the end of each itself', async () => {
    const stage = await Stage.set(agent, { workflow: twice(agent.id) });
    const runId = await stage.startRun();
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    const turns = Object.values(state.turns);
    expect(turns).toMatchObject([
      { stopReason: 'end_turn', response: expect.stringContaining('DONE: wrote notes.txt') },
      { stopReason: 'end_turn', response: expect.stringContaining('made') },
    ]);
    // Nothing was guessed or read off the screen.
    for (const turnId of [1, 2]) expect(await notices(stage, runId, turnId)).toEqual([]);
    expect(readFileSync(join(state.workspace?.path ?? '', 'notes.txt'), 'utf8')).toBe('made\n');
    const { items } = await stage.core.call('run.transcript', { runId, turnId: 2 });
    const ran = items.flatMap((item) => (item.type === 'tool' ? [item.call.title] : []));
    // Codex reports its turns, but not its tools.
    expect(ran).toEqual(agent.id === 'claude-cli' ? Array(2).fill('Bash: cat notes.txt') : []);
    const [second] = asked(stage, 'Look.');
    expect(second?.prompts).toHaveLength(2);
    expect(second?.prompts[0]).toMatch(/Draft\.\s+FILE=notes\.txt/);
    expect(JSON.stringify(second?.body)).toContain('DONE: wrote notes.txt');
    expect(await terminals(stage, runId)).toMatchObject([
      { name: 's1-0', sessionId: 1, title: `Terminal of ${agent.id}` },
    ]);
    await stage.gone();
  });

  test('the agent in a terminal is gone soon after a cancel in the middle of an answer', async () => {
    const stage = await Stage.set(agent, { workflow: work(agent.id, 'instruction: "Work. MIDWAY=hang"') });
    const runId = await stage.startRun();
    await until('the prompt', async () => asked(stage, 'Work.').length > 0);
    await stage.core.call('run.cancel', { runId });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('cancelled');
    expect(Object.values(state.turns)).toMatchObject([{ status: 'cancelled' }]);
    await stage.gone();
  });

  test('the agent takes up its conversation after a kill -9 of the core', async () => {
    const stage = await Stage.set(agent, { workflow: continued(agent.id) });
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'approval');
    await stage.crash();
    await stage.gone();
    await stage.restart();
    await answer(stage, gate, { option: 'approve' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    const events = (await stage.core.call('run.events', { runId })).map(({ event }) => event);
    const ready = events.filter((event) => event.type === 'session.ready');
    expect(
      ready.map(({ fresh }) => fresh),
      JSON.stringify(ready),
    ).toEqual([true, false]);
    const [publish] = asked(stage, 'Publish.');
    expect(publish?.prompts).toMatchObject([
      expect.stringMatching(/^Draft the notes/),
      expect.stringMatching(/^Publish/),
    ]);
  });

  test('the agent stops in mid-turn and takes the next prompt in the same conversation', async () => {
    const stage = await Stage.set(agent, { workflow: continued(agent.id) });
    const runId = await stage.startRun();
    await openGate(stage, runId, 'approval');
    const one = { runId, sessionId: 1, attachments: [] };
    await stage.core.call('session.prompt', { ...one, text: 'Go on.\nDELAY=60000' });
    await until('the prompt', async () => asked(stage, 'Go on.').length > 0);
    await stage.core.call('session.cancelTurn', { runId, sessionId: 1 });
    const turn = (turnId: number) => async () => {
      const { state } = await stage.core.call('run.get', { runId });
      const found = state.turns[turnId];
      return found !== undefined && found.status !== 'in_flight' ? found : null;
    };
    expect(await until('its end', turn(2))).toMatchObject({ status: 'cancelled' });
    await stage.core.call('session.prompt', { ...one, text: 'Once more. SAY=second answer' });
    expect(await until('the next turn', turn(3))).toMatchObject({
      status: 'completed',
      stopReason: 'end_turn',
      response: 'second answer',
    });
    // Input left in the prompt by the cancelled turn is not part of the next one.
    expect(asked(stage, 'Once more.')[0]?.prompts.at(-1)).toMatch(/Once more\. SAY=second answer$/);
    expect(asked(stage, 'Once more.')[0]?.prompts.at(-1)).not.toContain('Go on.');
    const events = (await stage.core.call('run.events', { runId })).map(({ event }) => event);
    expect(events.filter((event) => event.type === 'session.ready')).toHaveLength(1);
  });

  test('an agent that asks for permission in its terminal does not count as done, and that is said', async () => {
    const stage = await Stage.set(agent, {
      workflow: work(agent.id, 'instruction: "Draft. FILE=notes.txt TEXT=made"'),
      asks: true,
    });
    const runId = await stage.startRun();
    await until('a notice', async () => {
      const said = await notices(stage, runId, 1);
      return said.some((text) => /waits for an answer in its terminal: .*notes\.txt/.test(text));
    });
    const { state } = await stage.core.call('run.get', { runId });
    expect(state.turns[1]?.status, told(state)).toBe('in_flight');
    await stage.core.call('run.cancel', { runId });
    await stage.gone();
  });

  test('an agent in an untrusted folder waits for the operator before the first prompt, and says so', async () => {
    const untrusted = { ...agent, profile: {} };
    const stage = await Stage.set(untrusted, { workflow: work(agent.id, 'instruction: "Work. SAY=x"') });
    const runId = await stage.startRun();
    await until('a notice', async () => (await notices(stage, runId, 1)).some((text) => /trust/i.test(text)));
    expect(stage.models.requests.filter(({ prompts }) => prompts.length > 0)).toEqual([]);
    await stage.core.call('run.cancel', { runId });
    await stage.gone();
  });

  test('the agent in a terminal passes the test of its profile', async () => {
    const stage = await Stage.set(agent, { workflow: twice(agent.id) });
    const test = await stage.core.call('agent.test', { profile: stage.profile });
    expect(test, JSON.stringify(test)).toMatchObject({ ok: true });
    await stage.gone();
  });

  test('an agent in a terminal waits where its key is refused, and the gate names what to do', async () => {
    const stage = await Stage.set(agent, { workflow: work(agent.id, 'instruction: "Work. STATUS=401"') });
    const runId = await stage.startRun();
    await answer(stage, await openGate(stage, runId, 'login'), { option: 'fail' });
    const state = await finished(stage, runId);
    expect(state.turns[1]?.error, told(state)).toMatchObject({
      code: expect.stringMatching(/^agent\.(?:key_refused|auth_required)$/),
      mend: expect.stringMatching(/^(?:Set a valid key|Log in with: )/),
    });
  });
});
