import { callCore, given, nothing, number, type Route, respond } from '@main/api/http/route';
import { z } from 'zod';
import { spendBySchema } from '../../contract/procedures';

/** `from` and `before`: milliseconds since 1970. */
const spendQuery = z.strictObject({
  by: spendBySchema.default('day'),
  from: number.optional(),
  before: number.optional(),
  project: number.optional(),
  limit: number.min(1).max(10_000).optional(),
});

const listSpend = given('query', spendQuery, ({ project: projectId, ...filter }, { core }) =>
  respond(callCore(core, 'spend.list', { ...filter, ...(projectId !== undefined && { projectId }) })),
);

/** What ended, failed, waits and was spent since the operator last looked. */
const home = given('query', nothing, (_, { core }) => respond(callCore(core, 'home.get', {})));

const lookedSchema = z.strictObject({ at: z.number().int().nonnegative().nullable() });

/** `at`: milliseconds since 1970, or null to forget that the operator ever looked. */
const looked = given('body', lookedSchema, (moment, { core }) =>
  respond(callCore(core, 'home.looked', moment)),
);

export const spendRoutes: readonly Route[] = [
  { method: 'GET', path: '/spend', handle: listSpend },
  { method: 'GET', path: '/home', handle: home },
  { method: 'POST', path: '/home/looked', handle: looked },
];
