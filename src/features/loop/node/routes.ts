import { coreProcedures } from '@contract/ipc';
import { ok } from '@contract/result';
import { callIn } from '@main/api/http/project';
import {
  type Answered,
  type Asked,
  asked,
  BY,
  findRun,
  number,
  parse,
  type Route,
} from '@main/api/http/route';
import { z } from 'zod';

async function listLoops({ core, query }: Asked): Answered {
  const given = parse(z.strictObject({ limit: number.min(1).max(1_000).default(40) }), query);
  if (!given.ok) return given;
  const listed = await asked(core, 'loop.list', given.value);
  return listed.ok ? ok({ body: listed.value }) : listed;
}

/** The loop waits after the iteration that goes on. Continuing and skipping are answers at its gate. */
async function pauseLoop({ core, words, body }: Asked): Answered {
  const given = parse(z.strictObject({ activationId: z.number().int().default(1) }), body);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const paused = await asked(core, 'loop.pause', { runId: runId.value, ...given.value, by: BY });
  return paused.ok ? ok({ status: 202, body: { runId: runId.value } }) : paused;
}

/** A page of a log of an attempt; `to` of the answer is the `from` of the next page. */
async function loopLog({ core, words, query }: Asked): Answered {
  const given = parse(
    z.strictObject({
      activation: number.default(1),
      attempt: number,
      which: coreProcedures['loop.log'].input.unwrap().shape.which.default('message'),
      from: number.default(0),
    }),
    query,
  );
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const { activation: activationId, attempt: attemptId, which, from } = given.value;
  const page = await asked(core, 'loop.log', { runId: runId.value, activationId, attemptId, which, from });
  return page.ok ? ok({ body: page.value }) : page;
}

/** Names the process that runs a watched loop. */
async function nameRunner({ core, words, body }: Asked): Answered {
  const given = parse(
    z.strictObject({ activationId: z.number().int().default(1), pid: z.number().int().positive() }),
    body,
  );
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const named = await asked(core, 'loop.nameRunner', { runId: runId.value, ...given.value });
  return named.ok ? ok({ body: { runId: runId.value, pid: given.value.pid } }) : named;
}

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
