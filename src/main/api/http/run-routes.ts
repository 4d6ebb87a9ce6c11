import { jsonSchema, newUidSchema } from '@contract/ids';
import { ok } from '@contract/result';
import { returnedBy } from '@contract/run/returned';
import { runStatusSchema } from '@contract/run/state';
import { z } from 'zod';
import { EVENT_PAGE_BYTES } from '../../limits/core-sizes';
import { beginIn, NAMES_ONE, namesOne, projectShape } from './project';
import { type Answered, type Asked, asked, BY, findRun, number, page, parse, type Route } from './route';

const startSchema = z
  .strictObject({
    uid: newUidSchema,
    ...projectShape,
    file: z.string(),
    instruction: z.string().default(''),
    attachments: z.array(z.string()).default([]),
    /** Values of the workflow's inputs, by their names. */
    inputs: z.record(z.string(), z.string()).optional(),
  })
  .refine(namesOne, NAMES_ONE);

async function startRun({ core, body }: Asked): Answered {
  const given = parse(startSchema, body);
  if (!given.ok) return given;
  const { project, projectId: named, ...rest } = given.value;
  return beginIn(core, { project, projectId: named }, async (projectId) => {
    const started = await asked(core, 'run.start', { ...rest, projectId, startedBy: BY });
    if (!started.ok) return started;
    const { runId } = started.value;
    const run = await asked(core, 'run.find', { name: String(runId) });
    return ok({ status: 201, headers: { location: `/runs/${runId}` }, body: run.ok ? run.value : { runId } });
  });
}

const listQuery = z.strictObject({
  ...page,
  status: runStatusSchema.optional(),
  search: z.string().optional(),
  binned: z.stringbool().default(false),
});

async function listRuns({ core, query }: Asked): Answered {
  const given = parse(listQuery, query);
  if (!given.ok) return given;
  const runs = await asked(core, 'run.list', given.value);
  return runs.ok ? ok({ body: runs.value }) : runs;
}

async function showRun({ core, words, query }: Asked): Answered {
  const given = parse(z.strictObject({}), query);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const run = await asked(core, 'run.get', { runId: runId.value });
  if (!run.ok) return run;
  const { state } = run.value;
  const returns = state.status === 'finished' ? returnedBy(state) : null;
  return ok({ body: { ...run.value, ...(returns === null ? {} : { returns }) } });
}

/** `next` is the `after` of the page that follows; null where nothing came. */
async function runEvents({ core, words, query }: Asked): Answered {
  const given = parse(
    z.strictObject({ after: number.default(0), limit: number.min(1).max(5000).default(1000) }),
    query,
  );
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const { after: afterSeq, limit } = given.value;
  const page = { runId: runId.value, afterSeq, limit, bytes: EVENT_PAGE_BYTES };
  const events = await asked(core, 'run.events', page);
  if (!events.ok) return events;
  return ok({ body: { events: events.value, next: events.value.at(-1)?.seq ?? null } });
}

async function cancelRun({ core, words, body }: Asked): Answered {
  const given = parse(z.strictObject({}), body);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const done = await asked(core, 'run.cancel', { runId: runId.value, by: BY });
  return done.ok ? ok({ status: 202, body: { runId: runId.value } }) : done;
}

/** `text` is a hint for the next worker of a loop. */
async function resumeRun({ core, words, body }: Asked): Answered {
  const given = parse(z.strictObject({ text: z.string().optional() }), body);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const done = await asked(core, 'run.resume', { runId: runId.value, by: BY, ...given.value });
  return done.ok ? ok({ status: 202, body: { runId: runId.value } }) : done;
}

/** A new run that begins at a step of this one; with a `uid` of yours (a ULID), once. */
async function againRun({ core, words, body }: Asked): Answered {
  const given = parse(againBody, body);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const begun = await asked(core, 'run.again', { runId: runId.value, ...given.value, startedBy: BY });
  return begun.ok ? ok({ status: 201, body: begun.value }) : begun;
}

const againBody = z.strictObject({
  uid: newUidSchema,
  step: z.string(),
  instruction: z.string().optional(),
  inputs: z.record(z.string(), z.string()).optional(),
  config: z.record(z.string(), jsonSchema).optional(),
});

/** Two runs step by step. */
async function compareRun({ core, words }: Asked): Answered {
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const otherId = await findRun(core, words.other ?? '');
  if (!otherId.ok) return otherId;
  const compared = await asked(core, 'run.compare', { runId: runId.value, otherId: otherId.value });
  return compared.ok ? ok({ body: compared.value }) : compared;
}

/** A page of one output; `to` of the answer is the `from` of the next page. */
async function runOutput({ core, words, query }: Asked): Answered {
  const given = parse(
    z.strictObject({ step: z.string().optional(), port: z.string().optional(), from: number.default(0) }),
    query,
  );
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const page = await asked(core, 'run.output', { runId: runId.value, ...given.value });
  return page.ok ? ok({ body: page.value }) : page;
}

async function runResults({ core, words, query }: Asked): Answered {
  const given = parse(z.strictObject({}), query);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const results = await asked(core, 'run.results', { runId: runId.value });
  return results.ok ? ok({ body: { results: results.value } }) : results;
}

async function applyRun({ core, words, body }: Asked): Answered {
  const given = parse(z.strictObject({ step: z.string().optional() }), body);
  if (!given.ok) return given;
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const applied = await asked(core, 'run.apply', { runId: runId.value, ...given.value, by: BY });
  return applied.ok ? ok({ body: applied.value }) : applied;
}

export const runRoutes: readonly Route[] = [
  { method: 'POST', path: '/runs', handle: startRun },
  { method: 'GET', path: '/runs', handle: listRuns },
  { method: 'GET', path: '/runs/:run', handle: showRun },
  { method: 'GET', path: '/runs/:run/events', handle: runEvents },
  { method: 'GET', path: '/runs/:run/output', handle: runOutput },
  { method: 'GET', path: '/runs/:run/compare/:other', handle: compareRun },
  { method: 'GET', path: '/runs/:run/results', handle: runResults },
  { method: 'POST', path: '/runs/:run/apply', handle: applyRun },
  { method: 'POST', path: '/runs/:run/cancel', handle: cancelRun },
  { method: 'POST', path: '/runs/:run/resume', handle: resumeRun },
  { method: 'POST', path: '/runs/:run/again', handle: againRun },
];
