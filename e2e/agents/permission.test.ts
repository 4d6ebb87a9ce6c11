import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { describe, expect, test } from 'vitest';
import { realAgents } from './stage/agents';
import { answer, asked, finished, openGate, told } from './stage/runs';
import { Stage } from './stage/stage';

const workflow = (profile: string) => `
name: Ask first
steps:
  - id: draft
    type: step.agent_task
    on_interrupt: retry
    config:
      acp_profile_id: ${profile}
      instruction: "Draft the notes. FILE=notes.txt TEXT=made"
      re_prompts: ["Go on. SAY=as you wish"]
`;

const inProject = (profile: string) => `${workflow(profile)}workspace: project\n`;

const notes = (state: RunState) => join(state.workspace?.path ?? '', 'notes.txt');

describe.each(realAgents)('$id', (agent) => {
  const set = () => Stage.set(agent, { workflow: workflow(agent.id), asks: true });

  test('the agent asks for permission by a gate, and acts after the answer', async () => {
    const stage = await set();
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'permission');
    expect(JSON.stringify(gate.request)).toContain('notes.txt');
    expect(gate.request?.diffs[0]?.newText ?? gate.request?.command).toMatch(/^made\n$|echo made/);
    expect(asked(stage, 'Draft the notes')).toHaveLength(1);
    await answer(stage, gate, { option: 'allow' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(state.gates[gate.gateId]).toMatchObject({ status: 'resolved', delivered: true });
    expect(readFileSync(notes(state), 'utf8')).toBe('made\n');
  });

  test("the agent asks in the operator's own checkout, whatever its profile and its mode allow", async () => {
    const stage = await Stage.set(agent, { workflow: inProject(agent.id) });
    agent.coach?.(stage.models);
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'permission');
    expect(existsSync(join(stage.project, 'notes.txt'))).toBe(false);
    await answer(stage, gate, { option: 'allow' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(readFileSync(join(stage.project, 'notes.txt'), 'utf8')).toBe('made\n');
  });

  test('the agent gets a refusal with the reason, and goes on without the permission in the same turn', async () => {
    const stage = await set();
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'permission');
    await answer(stage, gate, { option: 'deny', reason: 'Notes belong into the wiki.' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(Object.values(state.turns)).toMatchObject(Array(2).fill({ status: 'completed' }));
    expect(existsSync(notes(state))).toBe(false);
    expect(asked(stage, 'Notes belong into the wiki.')).toHaveLength(1);
    expect(state.turns[1]?.response).toContain('The operator did not allow this');
    const { items } = await stage.core.call('run.transcript', { runId, turnId: 1 });
    expect(items.some((item) => item.type === 'notice' && item.text.includes('into the wiki'))).toBe(true);
  });

  test('the agent gets an answer that was given after a kill -9, when it asks the same again', async () => {
    const stage = await set();
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'permission');
    await stage.crash();
    await stage.restart();
    await answer(stage, gate, { option: 'allow' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(Object.values(state.gates)).toMatchObject([{ status: 'resolved', delivered: true }]);
    expect(Object.values(state.turns)).toMatchObject([
      { status: 'interrupted' },
      { status: 'completed', resendOf: 1 },
      { status: 'completed' },
    ]);
    expect(readFileSync(notes(state), 'utf8')).toBe('made\n');
  });
});
