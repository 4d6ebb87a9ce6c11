import { jsonSchema, newKeySchema, newUidSchema } from '@contract/ids';
import type { ProcedureInput } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import { budgetSchema } from '@contract/workflow/definition';
import type { CoreCalls } from '@main/api/core-service';
import { type Fault, faultOf } from '@main/api/http/fault';
import { beginIn, NAMES_ONE, namesOne, projectShape } from '@main/api/http/project';
import { type Answered, type Asked, asked, BY, number, parse, type Route } from '@main/api/http/route';
import { z } from 'zod';
import { teamProcedures } from '../contract/procedures';
import { templateOf } from '../contract/template';
import { type FoundTeam, findTeam } from './address';

async function teamIn({ core, words }: Asked, step: string | undefined): Promise<Result<FoundTeam, Fault>> {
  const found = await findTeam(core, { run: words.run ?? '', step });
  return found.ok ? found : err(faultOf(found.error));
}

async function listTeams({ core, query }: Asked): Answered {
  const given = parse(z.strictObject({ limit: number.min(1).max(1000).default(40) }), query);
  if (!given.ok) return given;
  const teams = await asked(core, 'team.list', given.value);
  return teams.ok ? ok({ body: { teams: teams.value.rows, more: teams.value.more } }) : teams;
}

const startSchema = z
  .strictObject({
    uid: newUidSchema,
    ...projectShape,
    name: z.string().trim().min(1).max(120),
    /** That of a `step.team`; left out, the project's team file of that name is taken. */
    config: z.record(z.string(), jsonSchema).optional(),
    budget: budgetSchema.optional(),
  })
  .refine(namesOne, NAMES_ONE);

async function startTeam({ core, body }: Asked): Answered {
  const given = parse(startSchema, body);
  if (!given.ok) return given;
  const { project, projectId: named, ...rest } = given.value;
  return beginIn(core, { project, projectId: named }, (projectId) => startIn(core, { ...rest, projectId }));
}

type TeamStart = Omit<z.output<typeof startSchema>, 'project' | 'projectId'> & { readonly projectId: number };

async function startIn(core: CoreCalls, { projectId, name, config, ...rest }: TeamStart): Answered {
  const known = await asked(core, 'team.templates', { projectId });
  if (!known.ok) return known;
  const template = known.value.find((one) => one.name === name)?.config ?? null;
  const wanted = config ?? template;
  if (wanted === null)
    return err(
      faultOf({ code: 'not_found', message: `the project has no team "${name}"`, mend: 'give its config' }),
    );
  const start = { ...rest, projectId, name, config: wanted, startedBy: BY };
  const started = await asked(core, 'team.start', start);
  if (!started.ok) return started;
  const { runId } = started.value;
  return ok({ status: 201, headers: { location: `/runs/${runId}/team` }, body: { runId } });
}

const stepQuery = { step: z.string().optional() };

async function showTeam(given: Asked): Answered {
  const query = parse(z.strictObject(stepQuery), given.query);
  if (!query.ok) return query;
  const found = await teamIn(given, query.value.step);
  if (!found.ok) return found;
  const { row, team } = found.value;
  return ok({ body: { ...row, board: Object.values(team.tasks), merges: Object.values(team.merges) } });
}

async function listMessages(given: Asked): Answered {
  const schema = z.strictObject({
    ...stepQuery,
    thread: z.string().optional(),
    before: number.min(1).optional(),
    limit: number.min(1).max(500).default(200),
  });
  const query = parse(schema, given.query);
  if (!query.ok) return query;
  const { step, thread = null, before, limit } = query.value;
  const found = await teamIn(given, step);
  if (!found.ok) return found;
  const page = { ...found.value.place, thread, limit, ...(before === undefined ? {} : { before }) };
  const messages = await asked(given.core, 'team.messages', page);
  return messages.ok ? ok({ body: messages.value }) : messages;
}

const saveSchema = z.strictObject({ name: z.string().trim().min(1).max(120), ...stepQuery });

/** Keeps the team of a run as a file of its project. */
async function saveTeam(given: Asked): Answered {
  const body = parse(saveSchema, given.body);
  if (!body.ok) return body;
  const found = await teamIn(given, body.value.step);
  if (!found.ok) return found;
  const { state, team } = found.value;
  const wish = { projectId: state.projectId, name: body.value.name, config: templateOf(state, team) };
  const saved = await asked(given.core, 'team.saveTemplate', wish);
  return saved.ok ? ok({ status: 201, body: saved.value }) : saved;
}

/** What the operator does in a team, by the last word of its path. */
const ACTS = {
  say: 'team.say',
  changes: 'team.changes',
  satisfied: 'team.satisfied',
  interrupt: 'team.interrupt',
  edit: 'team.edit',
  withdraw: 'team.withdraw',
  spawn: 'team.spawn',
  shutdown: 'team.shutdown',
  retry: 'team.restore',
  merge: 'team.merge',
  'merge-confirm': 'team.mergeConfirm',
  'merge-decline': 'team.mergeDecline',
  end: 'team.cleanup',
  'task-add': 'team.taskAdd',
  'task-complete': 'team.taskComplete',
  'task-free': 'team.taskFree',
} as const satisfies Record<string, keyof typeof teamProcedures>;
type Act = (typeof ACTS)[keyof typeof ACTS];

/** The body is the procedure's input without the place, which the path names; unknown keys are refused. */
function actRoute(word: string, act: Act): Route {
  const handle = async (given: Asked): Answered => {
    const { shape } = teamProcedures[act].input.unwrap() as z.ZodObject;
    const { runId: _, activationId: __, ...own } = shape;
    const keyed = 'key' in own ? { key: newKeySchema } : {};
    const to = act === 'team.say' ? { to: z.string().nullable().default(null) } : {};
    const body = parse(z.strictObject({ ...own, ...keyed, ...to, ...stepQuery }), given.body);
    if (!body.ok) return body;
    const { step, ...wish } = body.value as { readonly step?: string };
    const found = await teamIn(given, step);
    if (!found.ok) return found;
    const input = { ...wish, ...found.value.place } as ProcedureInput<Act>;
    const done = await asked(given.core, act, input as never);
    return done.ok ? ok({ body: done.value }) : done;
  };
  return { method: 'POST', path: `/runs/:run/team/${word}`, handle };
}

export const teamRoutes: readonly Route[] = [
  { method: 'GET', path: '/teams', handle: listTeams },
  { method: 'POST', path: '/teams', handle: startTeam },
  { method: 'GET', path: '/runs/:run/team', handle: showTeam },
  { method: 'GET', path: '/runs/:run/team/messages', handle: listMessages },
  { method: 'POST', path: '/runs/:run/team/save', handle: saveTeam },
  ...Object.entries(ACTS).map(([word, act]) => actRoute(word, act)),
];
