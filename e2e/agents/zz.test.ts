import { execFileSync } from 'node:child_process';
import { describe, it } from 'vitest';
import { realAgents } from './stage/agents';
import { stateOf, told, until } from './stage/runs';
import { setStage } from './stage/stage';
import { readWire } from './stage/wire';

const workflow = (profile: string, what: string) => `
name: Ask
steps:
  - id: draft
    type: step.agent_task
    config:
      acp_profile_id: ${profile}
      instruction: "Go. ${what}"
`;
const ps = (pids: number[]) =>
  pids.length
    ? execFileSync('ps', ['-o', 'pid,pgid,ppid,args', '-p', pids.join()], { encoding: 'utf8' })
        .split('\n')
        .map((l) => l.slice(0, 150))
        .join('\n')
    : '';

describe.each(realAgents)('$id', (agent) => {
  it.each(['MIDWAY=hang', 'RUN=sleep 333', 'DELAY=100000'])('explore cancel %s', async (what) => {
    const stage = await setStage(agent, { workflow: workflow(agent.id, what) });
    const runId = await stage.startRun();
    await until('asked', async () =>
      stage.models.requests.some((r) => r.prompts.at(-1)?.startsWith('Go') && r.tools.length > 0),
    );
    await new Promise((r) => setTimeout(r, 1500));
    const pids = await stage.living();
    console.log(ps(pids));
    const t = Date.now();
    await stage.core.call('run.cancel', { runId });
    await until('gone', async () => (await stage.living()).length === 0);
    console.log('gone after', Date.now() - t);
    await until('end', async () => (await stateOf(stage, runId)).status === 'finished');
    console.log('finished after', Date.now() - t, told(await stateOf(stage, runId)));
    const wire = readWire(stage.wireFile);
    console.log(
      wire
        .slice(-4)
        .map((w) => w.from + JSON.stringify(w.message).slice(0, 300))
        .join('\n'),
    );
  });
  it.each([
    'FINISH=length',
    'FINISH=refused',
    'STATUS=401',
    'STATUS=429 RETRY_AFTER=3600',
    'STATUS=500',
    'MIDWAY=break',
    'MIDWAY=overloaded',
  ])('explore stop %s', async (what) => {
    const stage = await setStage(agent, { workflow: workflow(agent.id, what) });
    const runId = await stage.startRun();
    const t = Date.now();
    await until('end', async () => {
      const s = await stateOf(stage, runId);
      return (
        s.status === 'finished' ||
        Object.values(s.gates).some((g) => g.status === 'open') ||
        Object.values(s.timers).length > 0 ||
        Date.now() - t > 20000
      );
    });
    console.log(what, Date.now() - t, told(await stateOf(stage, runId)).slice(0, 1500));
    console.log(
      'requests',
      stage.models.requests
        .filter((r) => r.api && r.tools.length)
        .map((r) => r.status)
        .join(),
    );
  });
});
