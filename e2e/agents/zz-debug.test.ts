import { it, expect } from 'vitest';
import { Stage } from './stage/stage';
import { told, finished, asked } from './stage/runs';
const qwen = { id: 'qwen-cli', secrets: ['OPENAI_API_KEY'], mode: () => 'yolo', profile: { args: ['--auth-type', 'openai'] }, prepare: ({ origin }: { origin: string }) => ({ OPENAI_BASE_URL: `${origin}/v1`, OPENAI_MODEL: 'scripted' }) };
it('debug qwen', async () => {
  const stage = await Stage.set(qwen, { workflow: `
name: D
steps:
  - id: work
    type: step.agent_task
    config: { acp_profile_id: qwen-cli, instruction: "Draft. SAY=hello there", re_prompts: ["Write.\\nFILE=a.txt TEXT=b"] }
` });
  const runId = await stage.startRun();
  const state = await finished(stage, runId);
  console.log(told(state), Object.values(state.turns).map((t) => [t.stopReason, t.response]));
  for (const turnId of [1, 2]) console.log(JSON.stringify((await stage.core.call('run.transcript', { runId, turnId })).items));
  console.log(asked(stage, 'Write.').map((r) => r.prompts));
  await stage.gone();
});
