import { jsonSchema, newUidSchema } from '@contract/ids';
import { ok } from '@contract/result';
import { applyHowSchema, commitMessageSchema } from '@contract/run/results/apply';
import { returnedBy } from '@contract/run/results/returned-output';
import { runStatusSchema } from '@contract/run/state';
import { beginIn, NAMES_ONE, namesOne, projectShape } from '@main/api/http/project';
import {
  type Answered,
  BY,
  callCore,
  findRun,
  given,
  inRun,
  namingAddresses,
  nothing,
  number,
  page,
  parse,
  type Route,
  type RouteRequest,
  respond,
} from '@main/api/http/route';
import { EVENT_PAGE_BYTES } from '@main/limits/core-sizes';
import { z } from 'zod';

/** The token opens this API, not other files of the machine. */
const inProject = z
  .string()
  .refine(
    (path) => !/^(?:[\\/~]|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path),
    'a path below the folder of the project, without ..',
  );

const startSchema = z
  .strictObject({
    uid: newUidSchema,
    ...projectShape,
    file: inProject,
    instruction: z.string().default(''),
    attachments: z.array(inProject).default([]),
    /** Values of the workflow's inputs, by name. */
    inputs: z.record(z.string(), z.string()).optional(),
  })
  .refine(namesOne, NAMES_ONE);

async function startRun({ core, body }: RouteRequest): Answered {
  const given = parse(startSchema, body);
  if (!given.ok) return given;
  const { project, projectId: named, ...rest } = given.value;
  return beginIn(core, { project, projectId: named }, async (projectId) => {
    const started = await callCore(core, 'run.start', { ...rest, projectId, startedBy: BY });
    if (!started.ok) return started;
    const { runId } = started.value;
    const run = await callCore(core, 'run.find', { name: String(runId) });
    return ok({ status: 201, headers: { location: `/runs/${runId}` }, body: run.ok ? run.value : { runId } });
  });
}

const listQuery = z.strictObject({
  ...page,
  status: runStatusSchema.optional(),
  search: z.string().optional(),
  binned: z.stringbool().default(false),
});

const listRuns = given('query', listQuery, (filter, { core }) => respond(callCore(core, 'run.list', filter)));

const showRun = inRun('query', nothing, (_, { core, runId }) =>
  respond(callCore(core, 'run.get', { runId }), (run) => {
    const returns = run.state.status === 'finished' ? returnedBy(run.state) : null;
    return { body: namingAddresses({ ...run, ...(returns === null ? {} : { returns }) }, runId) };
  }),
);

const eventsQuery = z.strictObject({
  after: number.default(0),
  limit: number.min(1).max(5000).default(1000),
});

/** `next` is the `after` of the next page; null if this page is empty. */
const runEvents = inRun('query', eventsQuery, ({ after: afterSeq, limit }, { core, runId }) =>
  respond(callCore(core, 'run.events', { runId, afterSeq, limit, bytes: EVENT_PAGE_BYTES }), (events) => ({
    body: { events: events.map((one) => namingAddresses(one, runId)), next: events.at(-1)?.seq ?? null },
  })),
);

const cancelRun = inRun('body', nothing, (_, { core, runId }) =>
  respond(callCore(core, 'run.cancel', { runId, by: BY }), () => ({ status: 202, body: { runId } })),
);

/** `text` is a hint for the next worker of a loop. */
const resumeRun = inRun('body', z.strictObject({ text: z.string().optional() }), (hint, { core, runId }) =>
  respond(callCore(core, 'run.resume', { runId, by: BY, ...hint }), () => ({ status: 202, body: { runId } })),
);

const againBody = z.strictObject({
  uid: newUidSchema,
  step: z.string(),
  instruction: z.string().optional(),
  inputs: z.record(z.string(), z.string()).optional(),
  config: z.record(z.string(), jsonSchema).optional(),
});

/** Starts a new run at a step of this one; with your own `uid` (a ULID), at most once. */
const againRun = inRun('body', againBody, (change, { core, runId }) =>
  respond(callCore(core, 'run.again', { runId, ...change, startedBy: BY }), (body) => ({
    status: 201,
    body,
  })),
);

/** Compares two runs step by step. */
const compareRun = inRun('query', z.unknown(), async (_, { core, words, runId }) => {
  const otherId = await findRun(core, words.other ?? '');
  return otherId.ok ? respond(callCore(core, 'run.compare', { runId, otherId: otherId.value })) : otherId;
});

const outputQuery = z.strictObject({
  step: z.string().optional(),
  port: z.string().optional(),
  from: number.default(0),
});

/** A page of one output; `to` in the answer is the next page's `from`. */
const runOutput = inRun('query', outputQuery, (part, { core, runId }) =>
  respond(callCore(core, 'run.output', { runId, ...part })),
);

const changesQuery = z.strictObject({
  /** The number of a recorded change, as in a gate's evidence; otherwise the result of the run. */
  change: number.optional(),
  step: z.string().optional(),
  /** One file, with the lines that a list leaves out because of their size. */
  only: z.string().optional(),
});

/** Changes of files as they are now. `shown` identifies them in an answer or in `apply`. */
const runChanges = inRun('query', changesQuery, ({ change, step, only }, { core, runId }) => {
  const of =
    change === undefined
      ? { kind: 'result' as const, step }
      : { kind: 'capture' as const, captureId: change };
  return respond(callCore(core, 'workspace.diff', { runId, of, only }));
});

const textQuery = z.strictObject({ sha256: z.string(), from: number.default(0) });

/** A page of a text that is too large for an event; `to` in the answer is the next page's `from`. */
const runText = inRun('query', textQuery, (part, { core, runId }) =>
  respond(callCore(core, 'run.text', { runId, ...part })),
);

const runResults = inRun('query', nothing, (_, { core, runId }) =>
  respond(callCore(core, 'run.results', { runId }), (results) => ({ body: { results } })),
);

const ofResult = z.strictObject({ step: z.string().optional() });

/** What `apply` would do: conflicts, files in the way, commits and the message. */
const previewApply = inRun('query', ofResult, (of, { core, runId }) =>
  respond(callCore(core, 'run.apply-preview', { runId, ...of })),
);

const applyBody = ofResult.extend({
  shown: z.string().optional(),
  how: applyHowSchema.optional(),
  message: commitMessageSchema.optional(),
});

const applyRun = inRun('body', applyBody, (part, { core, runId }) =>
  respond(callCore(core, 'run.apply', { runId, ...part, by: BY })),
);

const undoableRun = inRun('query', ofResult, (of, { core, runId }) =>
  respond(callCore(core, 'run.undoable', { runId, ...of })),
);

const undoRun = inRun('body', ofResult, (of, { core, runId }) =>
  respond(callCore(core, 'run.undo', { runId, ...of, by: BY })),
);

export const runRoutes: readonly Route[] = [
  { method: 'POST', path: '/runs', handle: startRun },
  { method: 'GET', path: '/runs', handle: listRuns },
  { method: 'GET', path: '/runs/:run', handle: showRun },
  { method: 'GET', path: '/runs/:run/events', handle: runEvents },
  { method: 'GET', path: '/runs/:run/output', handle: runOutput },
  { method: 'GET', path: '/runs/:run/text', handle: runText },
  { method: 'GET', path: '/runs/:run/compare/:other', handle: compareRun },
  { method: 'GET', path: '/runs/:run/results', handle: runResults },
  { method: 'GET', path: '/runs/:run/changes', handle: runChanges },
  { method: 'GET', path: '/runs/:run/apply', handle: previewApply },
  { method: 'POST', path: '/runs/:run/apply', handle: applyRun },
  { method: 'GET', path: '/runs/:run/undo', handle: undoableRun },
  { method: 'POST', path: '/runs/:run/undo', handle: undoRun },
  { method: 'POST', path: '/runs/:run/cancel', handle: cancelRun },
  { method: 'POST', path: '/runs/:run/resume', handle: resumeRun },
  { method: 'POST', path: '/runs/:run/again', handle: againRun },
];
