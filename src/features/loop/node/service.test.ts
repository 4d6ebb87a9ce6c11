import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartDefinition } from '@areas/runs/node/run-service';
import { ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import { replay } from '@contract/run/reduce';
import { runStatus } from '@contract/run/status';
import { runRow } from '@main/api/testing/run-row';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { updateOfAttempt } from '../contract/summary';
import { failing, LoopHarness, passed } from '../core/testing/loop';
import { updateOf } from '../core/update';
import { LoopService } from './service';

let path = '';
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'muster-loops-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

interface Served {
  readonly loops: LoopService;
  readonly started: StartDefinition[];
}

function serve(loop: LoopHarness): Served {
  const started: StartDefinition[] = [];
  const state = (runId: number) => loop.engine.live(runId)?.state ?? replay(loop.log.read(runId));
  const row = (): RunRow => {
    const run = loop.state();
    return runRow({
      uid: run.uid,
      name: run.name,
      status: runStatus(run),
      outcome: run.outcome,
      startedAt: 0,
      finishedAt: run.finishedAt,
      at: run.at,
    });
  };
  const loops = new LoopService({
    engine: loop.engine,
    runs: {
      startDefinition: async (input): Promise<Result<{ runId: number }>> => {
        started.push(input);
        return ok({ runId: 7 });
      },
    },
    files: { profilesOf: async () => ({ profiles: { fake: fakeProfile }, own: [], problems: [] }) },
    git: async () => null,
    project: (id) => (id === 1 ? { id, path, name: 'p', addedAt: 0, trouble: null } : null),
    rows: () => ({ rows: [row()], more: false }),
    state,
  });
  return { loops, started };
}

test('the service shows where a loop stands, from its first attempt to its end', async () => {
  const loop = new LoopHarness();
  loop.deeds = [passed('US-001'), { hang: true }];
  await loop.loop();
  const { loops } = serve(loop);
  expect(loops.list(10).rows).toMatchObject([
    {
      runId: 1,
      activationId: 1,
      phase: 'working',
      live: true,
      resumable: false,
      worker: fakeProfile.name,
      iteration: 2,
      of: 5,
      retry: 0,
      story: { id: 'US-002' },
      passing: 1,
      stories: 3,
      attempts: 2,
      openGates: 0,
      branch: 'ralph/x',
      results: { completed: 1, blocked: 0, failed: 0, 'no-op': 0 },
    },
  ]);
  loop.deeds = [passed('US-003')];
  loop.checkout.do(passed('US-002'), 2);
  loop.agents.sent.at(-1)?.end({ response: 'Did it.' });
  await loop.idle();
  expect(loop.results()).toEqual(['1 completed US-001', '2 completed US-002', '3 completed US-003']);
  expect(loops.list(10).rows).toMatchObject([
    { phase: 'complete', live: false, passing: 3, finishedAt: 1_000 },
  ]);
});

test('the service says that a loop waits: where it is blocked, and after a second failure', async () => {
  const loop = new LoopHarness();
  loop.deeds = [{ say: 'I am blocked.\nResult: blocked' }];
  await loop.loop();
  const { loops } = serve(loop);
  expect(loops.list(10).rows).toMatchObject([{ phase: 'waiting', openGates: 1, results: { blocked: 1 } }]);

  const twice = new LoopHarness();
  twice.deeds = [failing, failing];
  await twice.loop();
  expect(serve(twice).loops.list(10).rows).toMatchObject([
    { phase: 'failed', resumable: false, openGates: 1, retry: 1, results: { failed: 2 } },
  ]);
});

test('the service gives the facts of an update as they were posted', async () => {
  const loop = new LoopHarness();
  loop.deeds = [failing, passed('US-001'), { say: 'Nothing.' }, { hang: true }];
  await loop.loop();
  const { attempts } = loop.state1;
  expect(attempts.map(updateOfAttempt)).toEqual([...loop.updates().map(({ update }) => update), null]);
  const [first] = attempts;
  if (first === undefined) throw new Error('no attempt');
  expect(updateOfAttempt(first)).toEqual(updateOf(first));
});

test('the service lets a loop wait once, and none that has ended', async () => {
  const loop = new LoopHarness();
  loop.deeds = [{ hang: true }];
  await loop.loop();
  const { loops } = serve(loop);
  const place = { runId: 1, activationId: 1, by: 'operator' };
  expect(await loops.pause(place)).toEqual(ok({}));
  expect(await loops.pause(place)).toEqual(ok({}));
  const asked = () => loop.events().filter(({ type }) => type === 'loop.pause-requested');
  expect(asked()).toHaveLength(1);
  expect(await loops.pause({ ...place, activationId: 9 })).toMatchObject({ error: { code: 'not_found' } });
  loop.checkout.do(passed('US-001'), 1);
  loop.agents.sent.at(-1)?.end({ response: 'Did it.' });
  await loop.idle();
  expect(loops.list(1).rows).toMatchObject([{ phase: 'waiting', pauseRequested: true }]);
});

const wanted = {
  projectId: 1,
  folder: '.',
  branch: null,
  workspace: 'project' as const,
  name: null,
  worker: 'fake',
  model: null,
  iterations: 4,
  minutes: 30,
  attemptMinutes: null,
  stallAfter: 3,
  budget: null,
  prompt: null,
  verify: 'npm test',
  retryProfile: null,
  retryModel: null,
  startedBy: 'operator',
};

test('the service starts a run of one step, and none with an error in its preview', async () => {
  const { loops, started } = serve(new LoopHarness());
  expect(await loops.start(wanted)).toMatchObject({ error: { code: 'validation.file_missing' } });
  writeFileSync(
    join(path, 'prd.json'),
    '{"branchName":"ralph/y","userStories":[{"id":"a","title":"A","priority":1,"passes":false}]}',
  );
  expect(await loops.start({ ...wanted, worker: 'nobody' })).toMatchObject({
    error: { code: 'validation.profile_unknown' },
  });
  expect(started).toEqual([]);
  expect(await loops.start({ ...wanted, budget: { tokens: 5_000 } })).toEqual(ok({ runId: 7 }));
  expect(started).toMatchObject([
    {
      projectId: 1,
      definition: {
        name: 'Loop: ralph/y',
        workspace: 'project',
        budget: { tokens: 5_000 },
        steps: [
          {
            type: 'step.ralph',
            config: {
              folder: '.',
              branch: null,
              iterations: 4,
              minutes: 30,
              prompt: null,
              stall_after: 3,
              worker: { acp_profile_id: 'fake', agent_config: null },
            },
          },
        ],
      },
    },
  ]);
});

test('the service reads the log of an attempt where the loop works', async () => {
  const loop = new LoopHarness();
  loop.deeds = [{ hang: true }];
  await loop.loop();
  const { loops } = serve(loop);
  const page = { from: 0, bytes: 1024, which: 'stderr' as const };
  const log = (attemptId: number) => loops.log({ runId: 1, activationId: 1, attemptId, ...page });
  expect(await log(9)).toMatchObject({ error: { code: 'not_found' } });
  const made = await log(1);
  expect(made).toMatchObject({ ok: true, value: { path: null, text: '' } });
});
