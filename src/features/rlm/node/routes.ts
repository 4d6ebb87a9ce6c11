import { coreProcedures } from '@contract/ipc';
import { lazyStrictObject } from '@contract/lazy-object';
import { ok } from '@contract/result';
import { callIn } from '@main/api/http/project';
import { BY, callCore, given, inRun, number, type Route, respond } from '@main/api/http/route';
import { readText } from '@main/api/read-text';
import { z } from 'zod';
import { TraceReader } from '../core/trace-reader';

const PAGE = 1_000;
const listQuery = z.strictObject({ limit: number.min(1).max(1_000).default(40) });

const listQuestions = given('query', listQuery, (page, { core }) =>
  respond(callCore(core, 'rlm.list', page)),
);

const traceQuery = z.strictObject({
  after: number.default(0),
  limit: number.min(1).max(1_000).default(200),
});

/** Steps of up to `limit` events; `next` is the `after` of the next page, null at the end. */
const trace = inRun('query', traceQuery, async ({ after, limit }, { core, runId }) => {
  const reader = new TraceReader({
    async text(path) {
      const found = path === '' ? null : await callCore(core, 'rlm.text', { runId, path });
      return found?.ok === true ? found.value.text : null;
    },
    async whole(text) {
      const found = await readText(core, runId, text);
      return found.ok ? found.value : null;
    },
    time: (at) => new Date(at).toISOString(),
  });
  const steps = [];
  // From the beginning: a step names its iteration, which is known from earlier events.
  for (let afterSeq = 0, taken = 0; ; ) {
    const events = await callCore(core, 'run.events', { runId, afterSeq, limit: PAGE });
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
});

const textQuery = lazyStrictObject(() => ({
  path: coreProcedures['rlm.text'].input.unwrap().shape.path,
  line: number.min(1).optional(),
}));

/** A text that is beside the log, by its path, or the lines of it around one of them. */
const text = inRun('query', textQuery, ({ path, line }, { core, runId }) =>
  line === undefined
    ? respond(callCore(core, 'rlm.text', { runId, path }))
    : respond(callCore(core, 'rlm.excerpt', { runId, path, line })),
);

const interrupt = inRun('body', z.unknown(), (_, { core, runId }) =>
  respond(callCore(core, 'rlm.interrupt', { runId, by: BY }), () => ({ status: 202, body: { runId } })),
);

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
