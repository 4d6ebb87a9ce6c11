import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realAgents } from './stage/agents';
import { answer, finished, openGate, told } from './stage/runs';
import { setStage } from './stage/stage';

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
  it('does three tasks with re-prompts, and an approval between them', async () => {
    const stage = await setStage(agent, { workflow: workflow(agent.id) });
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'approval');
    expect(gate.evidence).toContain('quite sure');
    await answer(stage, gate, { option: 'approve' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    console.log(told(state));
    console.log(
      JSON.stringify(
        Object.values(state.turns).map((t) => [t.prompt, t.response, t.usage, t.startedAt, t.finishedAt]),
      ),
    );
    const folder = state.workspace?.path ?? '';
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe(`made by ${agent.id}\n`);
    expect(readFileSync(join(folder, 'published.txt'), 'utf8')).toBe('published\n');
    const branches = execFileSync('git', ['branch', '--list'], { cwd: stage.project, encoding: 'utf8' });
    expect(branches).toContain(state.workspace?.branch);
  });
});
