import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shownText } from '@contract/whole-text';
import { describe, expect, test } from 'vitest';
import { realAgents } from './stage/agents';
import { answer, asked, finished, openGate, told } from './stage/runs';
import { Stage } from './stage/stage';

const workflow = (profile: string) => `
name: Release notes
steps:
  - id: draft
    type: step.agent_task
    config:
      acp_profile_id: ${profile}
      instruction: "Draft the notes. FILE=notes.txt TEXT=made by ${profile}"
      re_prompts: ["Review the draft. SAY=nothing is missing", "Write the final version. SAY=final"]
  - id: check
    type: step.agent_task
    config:
      acp_profile_id: ${profile}
      instruction: "Check the notes. RUN=cat notes.txt"
      re_prompts: ["Are you sure? SAY=quite sure"]
  - id: approve
    type: step.approval
    config: { message: "Publish these notes?" }
  - id: publish
    type: step.agent_task
    config:
      acp_profile_id: ${profile}
      instruction: "Publish. FILE=published.txt TEXT=published"
      re_prompts: ["Is it published? SAY=it is"]
cables:
  - { from: draft.data_out, to: check.data_in }
  - { from: check.data_out, to: approve.data_in }
  - { from: approve.approved_out, to: publish.data_in }
`;

describe.each(realAgents)('$id', (agent) => {
  test('the agent does three tasks with re-prompts, and an approval between them', async () => {
    const stage = await Stage.set(agent, { workflow: workflow(agent.id) });
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'approval');
    expect(gate.evidence).toMatch(/made by \w+[\s\S]*\n───── Re-prompt 1 ─────\nquite sure$/);
    await answer(stage, gate, { option: 'approve' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');

    const turns = Object.values(state.turns);
    const done = { status: 'completed', stopReason: 'end_turn' };
    expect(turns).toMatchObject(Array(7).fill(done));
    expect(turns.map(({ response }) => shownText(response).trim())).toMatchObject([
      expect.stringContaining('DONE: wrote notes.txt'),
      'nothing is missing',
      'final',
      expect.stringContaining(`made by ${agent.id}`),
      'quite sure',
      expect.stringContaining('DONE: wrote published.txt'),
      'it is',
    ]);

    const folder = state.workspace?.path ?? '';
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe(`made by ${agent.id}\n`);
    expect(readFileSync(join(folder, 'published.txt'), 'utf8')).toBe('published\n');
    expect(existsSync(join(stage.project, 'notes.txt'))).toBe(false);
    const branches = execFileSync('git', ['branch', '--list'], { cwd: stage.project, encoding: 'utf8' });
    expect(branches).toContain(state.workspace?.branch);
    await stage.gone();

    const [third] = asked(stage, 'Write the final version');
    expect(third?.prompts).toMatchObject([
      expect.stringContaining('Draft the notes'),
      expect.stringContaining('Review the draft'),
      expect.stringContaining('Write the final version'),
    ]);
    expect(JSON.stringify(third?.body)).toContain('DONE: wrote notes.txt');
    expect(asked(stage, 'Check the notes')[0]?.prompts).toHaveLength(1);
  });

  test('the agent passes the test of its profile', async () => {
    const stage = await Stage.set(agent, { workflow: workflow(agent.id) });
    const test = await stage.core.call('agent.test', { profile: stage.profile });
    expect(test, JSON.stringify(test)).toMatchObject({ ok: true });
    await stage.gone();
  });
});
