import { isAbsolute } from 'node:path';
import { appError } from '@contract/errors';
import { coreProcedures } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import { z } from 'zod';
import type { CoreCalls } from '../core-service';
import { type Fault, faultOf } from './fault';
import { type Answered, type Asked, asked, BY, findRun, number, parse, type Route } from './route';

/** `project` is a folder of this machine; `project.list` tells the numbers of known ones. */
const place = z.looseObject({ project: z.string().optional(), projectId: z.number().int().optional() });

async function projectOf(
  core: CoreCalls,
  { project, projectId }: z.output<typeof place>,
): Promise<Result<number, Fault>> {
  if (projectId !== undefined) return ok(projectId);
  if (project === undefined || !isAbsolute(project))
    return err(faultOf(appError('input.invalid', 'project: the whole path of a folder')));
  const added = await asked(core, 'project.add', { path: project });
  return added.ok ? ok(added.value.id) : added;
}

/** The body with its project as a number. */
async function wishOf({ core, body }: Asked): Promise<Result<Record<string, unknown>, Fault>> {
  const given = parse(place, body);
  if (!given.ok) return given;
  const projectId = await projectOf(core, given.value);
  if (!projectId.ok) return projectId;
  const { project: _, ...rest } = given.value;
  return ok({ ...rest, projectId: projectId.value, startedBy: BY });
}

async function startLoop(call: Asked): Answered {
  const wish = await wishOf(call);
  const input = wish.ok ? parse(coreProcedures['loop.start'].input, wish.value) : wish;
  if (!input.ok) return input;
  const started = await asked(call.core, 'loop.start', input.value);
  return started.ok ? ok({ status: 201, body: started.value }) : started;
}

async function watchLoop(call: Asked): Answered {
  const wish = await wishOf(call);
  const input = wish.ok ? parse(coreProcedures['loop.watch'].input, wish.value) : wish;
  if (!input.ok) return input;
  const started = await asked(call.core, 'loop.watch', input.value);
  return started.ok ? ok({ status: 201, body: started.value }) : started;
}

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

export const loopRoutes: readonly Route[] = [
  { method: 'GET', path: '/loops', handle: listLoops },
  { method: 'POST', path: '/loops', handle: startLoop },
  { method: 'POST', path: '/loops/watch', handle: watchLoop },
  { method: 'POST', path: '/runs/:run/loop/pause', handle: pauseLoop },
];
