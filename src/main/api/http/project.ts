import { isAbsolute } from 'node:path';
import { appError } from '@contract/errors';
import { type CoreProcedureName, coreProcedures, type ProcedureInput } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import { z } from 'zod';
import { startInProject } from '../start-in-project';
import { type Fault, faultOf } from './fault';
import { type Answered, callCore, parse, type RouteRequest } from './route';

/** How a request names its project. */
export const projectShape = {
  projectId: z.number().int().optional(),
  /** A folder's absolute path, or a known project's name. */
  project: z.string().optional(),
};
type Named = z.output<z.ZodObject<typeof projectShape>>;

export const namesOne = ({ project, projectId }: Named): boolean =>
  (project === undefined) !== (projectId === undefined);
export const NAMES_ONE = 'name either project or projectId';

/** Starts something in the project that a request names, which may be a new folder. */
export async function beginIn(
  core: RouteRequest['core'],
  { project = '', projectId }: Named,
  begin: (projectId: number) => Answered,
): Answered {
  if (projectId !== undefined) return begin(projectId);
  if (isAbsolute(project)) {
    const begun = await startInProject(core, project, { begin: ({ id }) => begin(id) });
    if (begun.ok) return begun;
    const { error } = begun;
    return err('status' in error ? error : faultOf(error));
  }
  const known = await knownProject(core, project);
  return known.ok ? begin(known.value) : known;
}

const placeSchema = z.looseObject(projectShape).refine(namesOne, NAMES_ONE);

/** A route whose body is the procedure's input, naming its project in the usual way. */
export const callIn =
  <N extends CoreProcedureName>(
    procedure: N,
    { status, more = {} }: { readonly status: number; readonly more?: Readonly<Record<string, string>> },
  ) =>
  async ({ core, body }: RouteRequest): Answered => {
    const given = parse(placeSchema, body);
    if (!given.ok) return given;
    const { project, projectId: named, ...rest } = given.value;
    return beginIn(core, { project, projectId: named }, async (projectId) => {
      const wish = parse(coreProcedures[procedure].input, { ...rest, projectId, ...more });
      if (!wish.ok) return wish;
      const done = await callCore(core, procedure, wish.value as ProcedureInput<N>);
      return done.ok ? ok({ status, body: done.value }) : done;
    });
  };

async function knownProject(core: RouteRequest['core'], name: string): Promise<Result<number, Fault>> {
  const projects = await callCore(core, 'project.list', {});
  if (!projects.ok) return projects;
  const found = projects.value.filter((row) => row.name === name);
  const [known] = found;
  if (known !== undefined && found.length === 1) return ok(known.id);
  if (known !== undefined) {
    const mend = `give the path of one: ${found.map(({ path }) => path).join(', ')}`;
    return err(faultOf(appError('conflict', `${found.length} projects are called "${name}"`, { mend })));
  }
  const mend = 'give the absolute path of its folder';
  return err(faultOf(appError('not_found', `there is no project "${name}"`, { mend })));
}
