import { answerRoute } from '@areas/deliveries/node/routes/answer-route';
import { updateResultSchema } from '@areas/feed/contract/update';
import { gateRoutes } from '@areas/gates/node/routes';
import { runRoutes } from '@areas/runs/node/routes/run-routes';
import { sessionRoutes } from '@areas/sessions/node/routes/session-routes';
import { spendRoutes } from '@areas/spend/node/routes/spend-routes';
import { workflowRoutes } from '@areas/workflows/node/routes/workflow-routes';
import { ok } from '@contract/result';
import { featureRoutes } from '@features/routes';
import { z } from 'zod';
import {
  type Answered,
  callCore,
  findRun,
  given,
  page,
  type Route,
  type RouteRequest,
  respond,
} from '../route';

const feedQuery = z.strictObject({
  ...page,
  run: z.string().optional(),
  result: updateResultSchema.optional(),
  search: z.string().optional(),
});

const listFeed = given('query', feedQuery, async ({ run, ...filter }, { core }) => {
  const runId = run === undefined ? ok(undefined) : await findRun(core, run);
  return runId.ok ? respond(callCore(core, 'feed.list', { ...filter, runId: runId.value })) : runId;
});

const health = ({ core }: RouteRequest): Answered =>
  respond(callCore(core, 'system.status', {}), (body) => ({
    status: body.store.state === 'ok' ? 200 : 503,
    body,
  }));

/** All routes except the event stream, which does not end. */
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
