import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { realAgents } from './stage/agents';
import { answer, finished, openGate, told } from './stage/runs';
import { Stage } from './stage/stage';
import { factsOf, readWire } from './stage/wire';

/** A file is written with permission, then a command is run: README.md has the table of the results. */
const workflow = (profile: string) => `
name: Facts
steps:
  - id: work
    type: step.agent_task
    config:
      acp_profile_id: ${profile}
      instruction: "Write. FILE=notes.txt TEXT=made"
      re_prompts: ["Look. RUN=cat notes.txt"]
`;

describe.each(realAgents)('$id', (agent) => {
  test('the agent uses and offers the parts of the protocol that README.md names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-wire-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const wireFile = join(folder, 'wire.jsonl');
    const stage = await Stage.set(agent, { workflow: workflow(agent.id), asks: true, wireFile });
    const runId = await stage.startRun();
    // opencode asks for permission for the command as well as for the file.
    for (const _ of agent.id === 'opencode' ? ['file', 'command'] : ['file'])
      await answer(stage, await openGate(stage, runId, 'permission'), { option: 'allow' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    const api = stage.models.requests.find((request) => request.api !== null)?.api;
    const tokens = state.turns[1]?.usage?.total_tokens ?? null;
    expect({ ...factsOf(readWire(wireFile)), tokens, api }).toEqual(agent.facts);
  });
});
