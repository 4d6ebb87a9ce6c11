import { z } from 'zod';
import { atLeisure, type Db, reading, writing } from '../sql';

/** Adds up the usage of runs older than the usage tables, apart from the start and from other work. */
export interface UsageTotals {
  /** Processes a few runs; returns whether there are more. */
  step(): boolean;
}

/** Limits a step to a few milliseconds. */
const RUNS_IN_A_STEP = 4;

const typed = (...names: readonly string[]): string =>
  `e.run_id = (select run_id from asked) and e.id <= (select up_to from asked)
    and e.type in (select id from event_types where name in (${names.map((name) => `'${name}'`).join(', ')}))`;
const field = (...names: readonly string[]): string =>
  names.map((name) => `e.body ->> '$.${name}' as "${name}"`).join(', ');
const ASKED = 'asked (run_id, up_to) as (values (?, ?))';

/** For a model called outside of a turn, the event itself names the model. */
const USAGES = `
with ${ASKED},
  answers as materialized (
    select e.id, e.run_id, e.at, ${field('turnId', 'activationId', 'model', 'durationMs')}, e.body -> '$.usage' as usage
    from events e where ${typed('turn.finished', 'rlm.call-answered', 'rlm.verification-finished')}),
  models as materialized (
    select ${field('sessionId', 'model')} from events e where ${typed('session.starting')}),
  lanes as materialized (
    select ${field('turnId', 'lane')} from events e
    where ${typed('turn.dispatched')} and e.body ->> '$.lane' is not null),
  rounds as materialized (
    select ${field('activationId', 'to', 'turnId', 'round')} from events e
    where ${typed('team.delivered')} and e.body ->> '$.round' is not null),
  begun as materialized (
    select e.body -> '$.profiles' as profiles, e.body -> '$.definition.steps' as steps
    from events e where e.run_id = (select run_id from asked) and e.seq = 1),
  profiles as materialized (
    select p.key as id, p.value ->> '$.name' as name from begun b, json_each(b.profiles) p),
  steps as materialized (
    select s.value ->> '$.id' as id, s.value ->> '$.title' as title from begun b, json_each(b.steps) s)
insert into usages (event_id, run_id, at, ms, step, step_title, piece, profile_id, agent, model, tokens, cost_usd)
select x.id, x.run_id, x.at, coalesce(x.durationMs, x.at - t.started_at),
  coalesce(a.step_id, ''), coalesce(st.title, a.step_id, ''),
  case
    when l.lane glob 'attempt-*' then t.activation_id || '/' || l.lane
    when l.lane glob 'member-*' then t.activation_id || '/' || l.lane || '/' || (
      select max(d.round) from rounds d
      where d.activationId = t.activation_id and 'member-' || d."to" = l.lane and d.turnId <= t.turn_id)
  end,
  s.profile_id, coalesce(p.name, s.profile_id), coalesce(x.model, m.model),
  coalesce(x.usage ->> '$.total_tokens',
    case when coalesce(x.usage ->> '$.input_tokens', x.usage ->> '$.output_tokens') is null then null
      else coalesce(x.usage ->> '$.input_tokens', 0) + coalesce(x.usage ->> '$.output_tokens', 0) end),
  x.usage ->> '$.cost_usd'
from answers x
  left join turns t on t.run_id = x.run_id and t.turn_id = x.turnId
  left join activations a on a.run_id = x.run_id and a.activation_id = coalesce(x.activationId, t.activation_id)
  left join sessions s on s.run_id = x.run_id and s.session_id = t.session_id
  left join models m on m.sessionId = t.session_id
  left join lanes l on l.turnId = t.turn_id
  left join profiles p on p.id = s.profile_id
  left join steps st on st.id = a.step_id
where true
on conflict do nothing`;

/** The newest statement about a story counts, and those made since these tables exist are newer. */
const STORIES = `
with ${ASKED}
insert into pieces (run_id, "key", kind, name, title, accepted)
select e.run_id, e.body ->> '$.activationId' || '/attempt-' || (e.body ->> '$.attemptId'), 'story',
  coalesce(e.body ->> '$.storyId', e.body ->> '$.story.id', 'unknown'),
  coalesce(e.body ->> '$.storyTitle', e.body ->> '$.story.title'),
  coalesce(e.body ->> '$.result', '') = 'completed'
from events e where ${typed('loop.attempt-started', 'loop.attempt-judged')} order by e.id desc
on conflict do nothing`;

/** Accepted: the last round delivered before the operator was satisfied. */
const ROUNDS = `
with ${ASKED},
  results as materialized (
    select e.id, e.run_id, ${field('activationId', 'member', 'round', 'final')}
    from events e where ${typed('team.result')}),
  released as materialized (
    select e.id, ${field('activationId', 'member')}
    from events e where ${typed('team.released')} and e.body ->> '$.how' = 'satisfied')
insert into pieces (run_id, "key", kind, name, title, accepted)
select r.run_id, r.activationId || '/member-' || r.member || '/' || r.round, 'round',
  r.member || ', round ' || r.round, null,
  r.id in (
    select max(b.id) from released y join results b
      on b.activationId = y.activationId and b.member = y.member and b.id < y.id and not b.final
    group by y.id)
from results r where true
on conflict do nothing`;

const BUDGETS = `
with begun as materialized (
  select e.run_id, e.body ->> '$.definition.budget.tokens' as tokens, e.body ->> '$.definition.budget.cost_usd' as usd
  from events e where e.run_id = ? and e.seq = 1)
update runs set budget_tokens = begun.tokens, budget_usd = begun.usd from begun where runs.id = begun.run_id`;

const openSchema = z.object({ runId: z.number(), upTo: z.number() });

export function createUsageTotals(db: Db): UsageTotals {
  const open = reading(
    db,
    openSchema,
    `select run_id as runId, up_to as upTo from runs_to_add_up order by run_id desc limit ${RUNS_IN_A_STEP}`,
  );
  const writes = [USAGES, STORIES, ROUNDS].map((sql) => writing(db, sql));
  const budgets = writing(db, BUDGETS);
  const done = writing(db, 'delete from runs_to_add_up where run_id = ?');
  const fold = placesFolder(db);
  let all = false;
  return {
    step() {
      if (all) return false;
      const runs = open.all();
      all = runs.length < RUNS_IN_A_STEP;
      if (runs.length === 0) return false;
      atLeisure(db, () => {
        for (const { runId, upTo } of runs) {
          for (const write of writes) write.run(runId, upTo);
          budgets.run(runId);
          fold(runId);
          done.run(runId);
        }
      });
      return !all;
    },
  };
}

/** A step's passes and repetitions count as the same step: `review#2[3]/fix` becomes `review/fix`. */
function placesFolder(db: Db): (runId: number) => void {
  const placed = reading(
    db,
    z.object({ step: z.string() }),
    "select distinct step from usages where run_id = ? and step glob '*[[#]*'",
  );
  const rename = writing(db, 'update usages set step = ?, step_title = ? where run_id = ? and step = ?');
  return (runId) => {
    for (const { step } of placed.all(runId)) {
      const plain = step.replace(/(?:#\d+)?(?:\[\d+\])?(?=\/|$)/g, '');
      rename.run(plain, plain.split('/').join(' / '), runId, step);
    }
  };
}
