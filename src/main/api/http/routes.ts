import { ok } from '@contract/result';
import { updateResultSchema } from '@contract/update/update';
import { featureRoutes } from '@features/routes';
import { z } from 'zod';
import { answerRoute } from './answer-route';
import { gateRoutes } from './gate-routes';
import { type Answered, type Asked, asked, findRun, page, parse, type Route } from './route';
import { runRoutes } from './run-routes';
import { sessionRoutes } from './session-routes';
import { spendRoutes } from './spend-routes';
import { workflowRoutes } from './workflow-routes';

const feedQuery = z.strictObject({
  ...page,
  run: z.string().optional(),
  result: updateResultSchema.optional(),
  search: z.string().optional(),
});

async function listFeed({ core, query }: Asked): Answered {
  const given = parse(feedQuery, query);
  if (!given.ok) return given;
  const { run, ...rest } = given.value;
  const runId = run === undefined ? ok(undefined) : await findRun(core, run);
  if (!runId.ok) return runId;
  const feed = await asked(core, 'feed.list', { ...rest, runId: runId.value });
  return feed.ok ? ok({ body: feed.value }) : feed;
}

async function health({ core }: Asked): Answered {
  const status = await asked(core, 'system.status', {});
  return status.ok
    ? ok({ status: status.value.store.state === 'ok' ? 200 : 503, body: status.value })
    : status;
}

/** All but the event stream, which has no end and so is no route like these. */
export const routes: readonly Route[] = [
  ...runRoutes,
  ...workflowRoutes,
  ...gateRoutes,
  ...spendRoutes,
  answerRoute,
  ...featureRoutes,
  ...sessionRoutes,
  { method: 'GET', path: '/feed', handle: listFeed },
  { method: 'GET', path: '/health', handle: health },
];
