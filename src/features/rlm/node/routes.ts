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
import { TraceReader } from '../core/trace-reader';

const PAGE = 1_000;
async function listQuestions({ core, query }: Asked): Answered {
  const given = parse(z.strictObject({ limit: number.min(1).max(1_000).default(40) }), query);
  if (!given.ok) return given;
  const listed = await asked(core, 'rlm.list', given.value);
  return listed.ok ? ok({ body: listed.value }) : listed;
}

/** Steps of at most `limit` events; `next` is the `after` of the next page, null at the end. */
async function trace({ core, words, query }: Asked): Answered {
  const shape = { after: number.default(0), limit: number.min(1).max(1_000).default(200) };
  const given = parse(z.strictObject(shape), query);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const { after, limit } = given.value;
  const reader = new TraceReader({
    async text(path) {
      const found = path === '' ? null : await asked(core, 'rlm.text', { runId: runId.value, path });
      return found?.ok === true ? found.value.text : null;
    },
    time: (at) => new Date(at).toISOString(),
  });
  const steps = [];
  // From the beginning: a step names its iteration, which an earlier event tells.
  for (let afterSeq = 0, taken = 0; ; ) {
    const events = await asked(core, 'run.events', { runId: runId.value, afterSeq, limit: PAGE });
    if (!events.ok) return events;
    for (const stored of events.value) {
      if (stored.seq <= after) reader.pass(stored);
      else {
        steps.push(...(await reader.linesOf(stored)));
        taken += 1;
      }
      if (taken === limit) return ok({ body: { steps, next: stored.seq } });
      afterSeq = stored.seq;
    }
    if (events.value.length === 0) return ok({ body: { steps, next: null } });
  }
}

/** A text that lies beside the log, by its path, or the lines of it around one of them. */
async function text({ core, words, query }: Asked): Answered {
  const shape = coreProcedures['rlm.text'].input.unwrap().shape;
  const given = parse(z.strictObject({ path: shape.path, line: number.min(1).optional() }), query);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const { path, line } = given.value;
  const found =
    line === undefined
      ? await asked(core, 'rlm.text', { runId: runId.value, path })
      : await asked(core, 'rlm.excerpt', { runId: runId.value, path, line });
  return found.ok ? ok({ body: found.value }) : found;
}

async function interrupt({ core, words }: Asked): Answered {
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const done = await asked(core, 'rlm.interrupt', { runId: runId.value, by: BY });
  return done.ok ? ok({ status: 202, body: { runId: runId.value } }) : done;
}

export const rlmRoutes: readonly Route[] = [
  { method: 'GET', path: '/questions', handle: listQuestions },
  {
    method: 'POST',
    path: '/questions',
    handle: callIn('rlm.start', { status: 201, more: { startedBy: BY } }),
  },
  { method: 'POST', path: '/questions/preview', handle: callIn('rlm.preview', { status: 200 }) },
  { method: 'GET', path: '/runs/:run/question/trace', handle: trace },
  { method: 'GET', path: '/runs/:run/question/text', handle: text },
  { method: 'POST', path: '/runs/:run/question/interrupt', handle: interrupt },
];
