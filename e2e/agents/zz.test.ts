import { describe, it } from 'vitest';
import { realAgents } from './stage/agents';
import { answer, openGate, stateOf, told, until } from './stage/runs';
import { setStage } from './stage/stage';
import { readWire } from './stage/wire';

const workflow = (profile: string) => `
name: Ask
steps:
  - id: draft
    type: step.agent_task
    on_interrupt: retry
    config:
      acp_profile_id: ${profile}
      instruction: "Draft the notes. FILE=notes.txt TEXT=made"
      re_prompts: ["Second. SAY=fine"]
  - id: approve
    type: step.approval
    config: { message: "ok?" }
  - id: publish
    type: step.agent_task
    on_interrupt: retry
    config:
      acp_profile_id: ${profile}
      session_mode: continue
      instruction: "Publish. SAY=published"
      re_prompts: ["Slow. SAY=at last"]
cables:
  - { from: draft.data_out, to: approve.data_in }
  - { from: approve.approved_out, to: publish.data_in }
`;

describe.each(realAgents)('$id', (agent) => {
  it('explore', async () => {
    const stage = await setStage(agent, { workflow: workflow(agent.id) });
    stage.models.script({ when: (ask) => ask.prompt.includes('Slow') && ask.tools.length > 0, times: 1, answer: { text: 'cut off here', midway: 'hang' } });
    const runId = await stage.startRun();
    try {
      const gate = await openGate(stage, runId, 'approval');
      await stage.crash();
      let t = Date.now();
      await stage.restart();
      console.log('restart ms', Date.now() - t);
      t = Date.now();
      await answer(stage, gate, { option: 'approve' });
      await until('slow turn', async () => stage.models.requests.some((r) => r.prompts.at(-1)?.includes('Slow') && r.tools.length > 0));
      console.log('to slow turn ms', Date.now() - t);
      await new Promise((r) => setTimeout(r, 500));
      await stage.crash();
      await stage.restart();
      await until('end', async () => { const s = await stateOf(stage, runId); if (Object.values(s.gates).some((g) => g.status === 'open')) throw new Error(told(s)); return s.status === 'finished'; });
    } finally {
      const state = await stateOf(stage, runId);
      console.log(told(state));
      console.log(JSON.stringify(Object.values(state.turns).map((t) => [t.prompt, t.response, t.usage, t.status])));
      console.log(stage.models.requests.filter((r) => r.api).map((r) => JSON.stringify([r.api, r.prompts.map((p) => p.slice(0, 60)), r.results, r.tools.length])).join('\n'));
      for (const { from, message } of readWire(stage.wireFile)) {
        const text = JSON.stringify(message);
        if (/available_commands|config_option|agent_message_chunk|usage_update|session_info/.test(text)) continue;
        console.log(from, text.slice(0, 300));
      }
    }
  });
});
