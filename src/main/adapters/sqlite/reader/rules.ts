import { gateAnswerSchema, permissionRequestSchema } from '@areas/gates/contract/gate';
import { permissionRuleSchema } from '@areas/permissions/contract/rule';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { PastRequest, RuleReader } from '../../../core/ports/rules';
import { type Db, reading, readings } from '../sql';

/** The condition beside the name makes SQLite use the index of gates answered by rules. */
const USES = `from gates g where g.answered_by = 'rule ' || p.id and substr(g.answered_by, 1, 5) = 'rule '`;
const SELECT = `
  select p.*, (select count(*) ${USES}) as uses, (select max(g.closed_at) ${USES}) as last_used_at
  from permission_rules p`;
const NEWEST_FIRST = 'order by p.created_at desc, p.id desc';

const pastSchema = lazyObject(() => ({
  body: z.string(),
  runId: z.number(),
  gateId: z.number(),
  runName: z.string(),
  projectId: z.number(),
  agent: z.string().nullable(),
  openedAt: z.number(),
  answer: z.string().nullable(),
  by: z.string().nullable(),
}));
const askedSchema = z.object({ title: z.string(), sessionId: z.number(), request: permissionRequestSchema });
const sessionSchema = lazyObject(() => ({ profileId: z.string(), cwd: z.string().nullable() }));
const startSchema = z.object({ projectPath: z.string(), mode: z.string() });
type Start = z.infer<typeof startSchema>;

export function ruleReader(db: Db): RuleReader {
  const select = readings(db, permissionRuleSchema);
  const one = reading(db, permissionRuleSchema, `${SELECT} where p.id = ?`);
  const past = reading(
    db,
    pastSchema,
    `select e.body, g.run_id as runId, g.gate_id as gateId, r.name as runName, r.project_id as projectId, g.agent,
       g.opened_at as openedAt, g.answer, g.answered_by as "by"
     from gates g join runs r on r.id = g.run_id join events e on e.id = g.opened_event
     where g.kind = 'permission' and r.binned_at is null
     order by g.opened_event desc limit ?`,
  );
  const session = reading(
    db,
    sessionSchema,
    'select profile_id as profileId, cwd from sessions where run_id = ? and session_id = ?',
  );
  const start = reading(
    db,
    startSchema,
    `select json_extract(e.body, '$.projectPath') as projectPath, json_extract(e.body, '$.workspaceMode') as mode
     from event_ranges g join events e on e.id = g.id where g.run_id = ? and g.seq = 1`,
  );
  const starts = (known: Map<number, Start | null>, runId: number): Start | null => {
    const found = known.get(runId);
    if (found !== undefined) return found;
    const read = start.get(runId);
    known.set(runId, read);
    return read;
  };
  const pastOf = (row: z.infer<typeof pastSchema>, known: Map<number, Start | null>): PastRequest[] => {
    const { body, answer, ...rest } = row;
    const request = askedSchema.safeParse(JSON.parse(body));
    const began = starts(known, row.runId);
    const who = request.success ? session.get(row.runId, request.data.sessionId) : null;
    if (!request.success || began === null || who === null) return [];
    const workspaceRoot = who.cwd ?? began.projectPath;
    return [
      {
        ...rest,
        title: request.data.title,
        request: request.data.request,
        profileId: who.profileId,
        workspaceRoot,
        ownCheckout: began.mode === 'project' || workspaceRoot === began.projectPath,
        answer: answer === null ? null : gateAnswerSchema.parse(JSON.parse(answer)),
      },
    ];
  };

  return {
    rules({ removed, ids }) {
      if (ids !== undefined) return ids.flatMap((id) => one.get(id) ?? []);
      return select(`${SELECT} ${removed ? '' : 'where p.removed_at is null'} ${NEWEST_FIRST}`).all();
    },
    rule: (id) => one.get(id),
    pastRequests(limit) {
      const known = new Map<number, Start | null>();
      return past.all(limit).flatMap((row) => pastOf(row, known));
    },
  };
}
