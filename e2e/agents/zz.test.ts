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
    config:
      acp_profile_id: ${profile}
      instruction: "Draft the notes. FILE=notes.txt TEXT=made"
      re_prompts: ["Second. SAY=fine"]
`;

describe.each(realAgents)('$id', (agent) => {
  it.each(['allow', 'deny'])('explore %s', async (option) => {
    const stage = await setStage(agent, { workflow: workflow(agent.id), asks: true });
    stage.models.script({ when: (ask) => agent.id === 'codex' && ask.prompt.includes('FILE=') && ask.results.length === 0 && ask.tools.length > 0, answer: (ask) => {
      const tool = ask.tools.find((t) => t.name === 'exec_command');
      if (!tool) throw new Error(ask.tools.map((t) => t.name).join());
      return { text: 'I will use a tool', call: { tool, input: { cmd: 'echo made > notes.txt', sandbox_permissions: 'require_escalated', justification: 'to write' } } };
    } });
    const runId = await stage.startRun();
    try {
      const gate = await openGate(stage, runId, 'permission');
      console.log(JSON.stringify(gate, null, 1));
      await answer(stage, gate, option === 'allow' ? { option } : { option, reason: 'Not in this folder, please' });
      await until('end', async () => (await stateOf(stage, runId)).status === 'finished');
    } finally {
      const state = await stateOf(stage, runId);
      console.log(told(state));
      console.log(JSON.stringify(Object.values(state.turns).map((t) => [t.prompt, t.response, t.usage])));
      console.log(stage.models.requests.filter((r) => r.api).map((r) => JSON.stringify([r.api, r.prompts, r.results, r.tools.length])).join('\n'));
      for (const { from, message } of readWire(stage.wireFile)) {
        const text = JSON.stringify(message);
        if (/available_commands|config_option|agent_message_chunk|usage_update/.test(text)) continue;
        console.log(from, text.slice(0, 1500));
      }
    }
  });
});
