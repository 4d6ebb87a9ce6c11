import { ok } from '@contract/result';
import { spendBySchema } from '@contract/spend/procedures';
import { z } from 'zod';
import { type Answered, type Asked, asked, number, parse, type Route } from './route';

/** `from` and `before`: milliseconds since 1970. */
async function listSpend({ core, query }: Asked): Answered {
  const given = parse(
    z.strictObject({
      by: spendBySchema.default('day'),
      from: number.optional(),
      before: number.optional(),
      project: number.optional(),
      limit: number.min(1).max(10_000).optional(),
    }),
    query,
  );
  if (!given.ok) return given;
  const { project: projectId, ...rest } = given.value;
  const spend = await asked(core, 'spend.list', { ...rest, ...(projectId !== undefined && { projectId }) });
  return spend.ok ? ok({ body: spend.value }) : spend;
}

/** What ended, failed, waits and cost since the operator last looked. */
async function home({ core, query }: Asked): Answered {
  const given = parse(z.strictObject({}), query);
  if (!given.ok) return given;
  const told = await asked(core, 'home.get', {});
  return told.ok ? ok({ body: told.value }) : told;
}

/** `at`: milliseconds since 1970, or null to forget that the operator ever looked. */
async function looked({ core, body }: Asked): Answered {
  const given = parse(z.strictObject({ at: z.number().int().nonnegative().nullable() }), body);
  if (!given.ok) return given;
  const done = await asked(core, 'home.looked', given.value);
  return done.ok ? ok({ body: done.value }) : done;
}

export const spendRoutes: readonly Route[] = [
  { method: 'GET', path: '/spend', handle: listSpend },
  { method: 'GET', path: '/home', handle: home },
  { method: 'POST', path: '/home/looked', handle: looked },
];
