import { budgetSchema } from '@areas/workflows/contract/definition';
import { jsonSchema, newKeySchema, newUidSchema } from '@contract/ids';
import { err, ok } from '@contract/result';
import type { CoreCalls } from '@main/api/core-service';
import { faultOf } from '@main/api/http/fault';
import { beginIn, NAMES_ONE, namesOne, projectShape } from '@main/api/http/project';
import { type Answered, BY, callCore, given, number, type Route, respond } from '@main/api/http/route';
import { z } from 'zod';
import { teamProcedures } from '../contract/procedures';
import { templateOf } from '../contract/template';
import { type FoundTeam, findTeam } from './address';

/** A handler whose path names a team's run; query or body may name its step. */
const inTeam = <S extends z.ZodType<{ step?: string | undefined }>>(
  sent: 'query' | 'body',
  schema: S,
  handle: (value: z.output<S>, request: { readonly core: CoreCalls; readonly found: FoundTeam }) => Answered,
): Route['handle'] =>
  given(sent, schema, async (value, { core, words }) => {
    const found = await findTeam(core, { run: words.run ?? '', step: value.step });
    return found.ok ? handle(value, { core, found: found.value }) : err(faultOf(found.error));
  });

const listQuery = z.strictObject({ limit: number.min(1).max(1000).default(40) });

const listTeams = given('query', listQuery, (page, { core }) =>
  respond(callCore(core, 'team.list', page), ({ rows, more }) => ({ body: { teams: rows, more } })),
);

const startSchema = z
  .strictObject({
    uid: newUidSchema,
    ...projectShape,
    name: z.string().trim().min(1).max(120),
    /** The configuration of a `step.team`; default: the project's team file of that name. */
    config: z.record(z.string(), jsonSchema).optional(),
    budget: budgetSchema.optional(),
  })
  .refine(namesOne, NAMES_ONE);

const startTeam = given('body', startSchema, ({ project, projectId: named, ...rest }, { core }) =>
  beginIn(core, { project, projectId: named }, (projectId) => startIn(core, { ...rest, projectId })),
);

type TeamStart = Omit<z.output<typeof startSchema>, 'project' | 'projectId'> & { readonly projectId: number };

async function startIn(core: CoreCalls, { projectId, name, config, ...rest }: TeamStart): Answered {
  const known = await callCore(core, 'team.templates', { projectId });
  if (!known.ok) return known;
  const template = known.value.find((one) => one.name === name)?.config ?? null;
  const wanted = config ?? template;
  if (wanted === null)
    return err(
      faultOf({ code: 'not_found', message: `the project has no team "${name}"`, mend: 'give its config' }),
    );
  const start = { ...rest, projectId, name, config: wanted, startedBy: BY };
  return respond(callCore(core, 'team.start', start), ({ runId }) => ({
    status: 201,
    headers: { location: `/runs/${runId}/team` },
    body: { runId },
  }));
}

const stepQuery = { step: z.string().optional() };

const showTeam = inTeam('query', z.strictObject(stepQuery), async (_, { found: { row, team } }) =>
  ok({ body: { ...row, board: Object.values(team.tasks), merges: Object.values(team.merges) } }),
);

const messagesQuery = z.strictObject({
  ...stepQuery,
  thread: z.string().optional(),
  before: number.min(1).optional(),
  limit: number.min(1).max(500).default(200),
});

const listMessages = inTeam('query', messagesQuery, (query, { core, found }) => {
  const { thread = null, before, limit } = query;
  const page = { ...found.place, thread, limit, ...(before === undefined ? {} : { before }) };
  return respond(callCore(core, 'team.messages', page));
});

const saveSchema = z.strictObject({ name: z.string().trim().min(1).max(120), ...stepQuery });

/** Saves a run's team as a file of its project. */
const saveTeam = inTeam('body', saveSchema, ({ name }, { core, found: { state, team } }) => {
  const wish = { projectId: state.projectId, name, config: templateOf(state, team) };
  return respond(callCore(core, 'team.saveTemplate', wish), (body) => ({ status: 201, body }));
});

/** The operator's actions in a team, by the last word of the path. */
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

/**
 * The body is the procedure's input without the location, which the path names; unknown keys are rejected.
 */
function actRoute(word: string, act: Act): Route {
  // Built on first use, so that the core's start does not pay for it.
  const schema = z.lazy((): z.ZodType<{ step?: string | undefined }> => {
    const { shape } = teamProcedures[act].input.unwrap() as z.ZodObject;
    const { runId: _, activationId: __, ...own } = shape;
    const keyed = 'key' in own ? { key: newKeySchema } : {};
    const to = act === 'team.say' ? { to: z.string().nullable().default(null) } : {};
    return z.strictObject({ ...own, ...keyed, ...to, ...stepQuery }) as never;
  });
  const handle = inTeam('body', schema, ({ step: _, ...wish }, { core, found }) =>
    respond(callCore(core, act, { ...wish, ...found.place } as never)),
  );
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
