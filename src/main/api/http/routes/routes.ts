import { ok } from '@contract/result';
import { updateResultSchema } from '@contract/update/update';
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
import { answerRoute } from './answer-route';
import { gateRoutes } from './gate-routes';
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
