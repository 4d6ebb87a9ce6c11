import { coreProcedures } from '@contract/ipc';
import { lazyStrictObject } from '@contract/lazy-object';
import { callIn } from '@main/api/http/project';
import { BY, callCore, given, inRun, number, type Route, respond } from '@main/api/http/route';
import { z } from 'zod';

const listQuery = z.strictObject({ limit: number.min(1).max(1_000).default(40) });

const listLoops = given('query', listQuery, (page, { core }) => respond(callCore(core, 'loop.list', page)));

const ofActivation = { activationId: z.number().int().default(1) };

/** The loop waits after the current iteration. Continuing and skipping are answers at its gate. */
const pauseLoop = inRun('body', z.strictObject(ofActivation), (place, { core, runId }) =>
  respond(callCore(core, 'loop.pause', { runId, ...place, by: BY }), () => ({
    status: 202,
    body: { runId },
  })),
);

const logQuery = lazyStrictObject(() => ({
  activation: number.default(1),
  attempt: number,
  which: coreProcedures['loop.log'].input.unwrap().shape.which.default('message'),
  from: number.default(0),
}));

/** A page of an attempt's log; `to` in the answer is the next page's `from`. */
const loopLog = inRun(
  'query',
  logQuery,
  ({ activation: activationId, attempt: attemptId, which, from }, { core, runId }) =>
    respond(callCore(core, 'loop.log', { runId, activationId, attemptId, which, from })),
);

const runnerSchema = z.strictObject({ ...ofActivation, pid: z.number().int().positive() });

/** Names the process that runs a watched loop. */
const nameRunner = inRun('body', runnerSchema, (runner, { core, runId }) =>
  respond(callCore(core, 'loop.nameRunner', { runId, ...runner }), () => ({
    body: { runId, pid: runner.pid },
  })),
);

export const loopRoutes: readonly Route[] = [
  { method: 'GET', path: '/loops', handle: listLoops },
  { method: 'POST', path: '/loops', handle: callIn('loop.start', { status: 201, more: { startedBy: BY } }) },
  {
    method: 'POST',
    path: '/loops/watch',
    handle: callIn('loop.watch', { status: 201, more: { startedBy: BY } }),
  },
  { method: 'POST', path: '/runs/:run/loop/pause', handle: pauseLoop },
  { method: 'POST', path: '/runs/:run/loop/runner', handle: nameRunner },
  { method: 'GET', path: '/runs/:run/loop/log', handle: loopLog },
];
