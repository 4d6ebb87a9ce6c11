import type { Db } from '../sql';
import type { Migration } from './migration';

/**
 * What each answer of a model used, by whom, how long, and for which step. Null: it was not reported. The name of an
 * agent and the title of a step are as they were in that run. A piece is an attempt at a story or a round of a member.
 */
const usages = `
create table usages (
  event_id integer primary key,
  run_id integer not null references runs (id) on delete cascade,
  at integer not null,
  ms integer,
  step text not null,
  step_title text not null,
  piece text,
  profile_id text,
  agent text,
  model text,
  tokens real,
  cost_usd real
) strict;
create index usages_by_time on usages (at);
create index usages_by_run on usages (run_id);
create table pieces (
  run_id integer not null references runs (id) on delete cascade,
  "key" text not null,
  kind text not null,
  name text not null,
  title text,
  accepted integer not null,
  primary key (run_id, "key")
) strict, without rowid;
create index runs_by_end on runs (finished_at) where finished_at is not null;
alter table runs add column budget_tokens real;
alter table runs add column budget_usd real;`;

const typed = (...names: readonly string[]): string =>
  `e.type in (select id from event_types where name in (${names.map((name) => `'${name}'`).join(', ')}))`;
const field = (...names: readonly string[]): string =>
  names.map((name) => `e.body ->> '$.${name}' as "${name}"`).join(', ');

/** The answers of earlier runs. A model that was called outside of a turn is named in the event itself. */
const earlier = `
with
  answers as materialized (
    select e.id, e.run_id, e.at, ${field('turnId', 'activationId', 'model', 'durationMs')}, e.body -> '$.usage' as usage
    from events e where ${typed('turn.finished', 'rlm.call-answered', 'rlm.verification-finished')}),
  models as materialized (
    select e.run_id, ${field('sessionId', 'model')} from events e where ${typed('session.starting')}),
  lanes as materialized (
    select e.run_id, ${field('turnId', 'lane')} from events e
    where ${typed('turn.dispatched')} and e.body ->> '$.lane' is not null),
  rounds as materialized (
    select e.run_id, ${field('activationId', 'to', 'turnId', 'round')} from events e
    where ${typed('team.delivered')} and e.body ->> '$.round' is not null),
  profiles as materialized (
    select r.id as run_id, p.key as id, p.value ->> '$.name' as name
    from runs r join events e on e.run_id = r.id and e.seq = 1, json_each(e.body, '$.profiles') p),
  steps as materialized (
    select r.id as run_id, s.value ->> '$.id' as id, s.value ->> '$.title' as title
    from runs r join events e on e.run_id = r.id and e.seq = 1, json_each(e.body, '$.definition.steps') s)
insert into usages (event_id, run_id, at, ms, step, step_title, piece, profile_id, agent, model, tokens, cost_usd)
select x.id, x.run_id, x.at, coalesce(x.durationMs, t.finished_at - t.started_at),
  coalesce(a.step_id, ''), coalesce(st.title, a.step_id, ''),
  case
    when l.lane glob 'attempt-*' then t.activation_id || '/' || l.lane
    when l.lane glob 'member-*' then t.activation_id || '/' || l.lane || '/' || (
      select max(d.round) from rounds d
      where d.run_id = x.run_id and d.activationId = t.activation_id
        and 'member-' || d."to" = l.lane and d.turnId <= t.turn_id)
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
  left join models m on m.run_id = x.run_id and m.sessionId = t.session_id
  left join lanes l on l.run_id = x.run_id and l.turnId = t.turn_id
  left join profiles p on p.run_id = x.run_id and p.id = s.profile_id
  left join steps st on st.run_id = x.run_id and st.id = a.step_id
order by x.id;`;

/** Later events of a piece replace what earlier ones said: they come in order. */
const earlierPieces = `
insert into pieces (run_id, "key", kind, name, title, accepted)
select e.run_id, e.body ->> '$.activationId' || '/attempt-' || (e.body ->> '$.attemptId'), 'story',
  coalesce(e.body ->> '$.storyId', e.body ->> '$.story.id', 'unknown'),
  coalesce(e.body ->> '$.storyTitle', e.body ->> '$.story.title'),
  coalesce(e.body ->> '$.result', '') = 'completed'
from events e where ${typed('loop.attempt-started', 'loop.attempt-judged')} order by e.id
on conflict do update set name = excluded.name, title = excluded.title, accepted = excluded.accepted;
with
  results as materialized (
    select e.id, e.run_id, ${field('activationId', 'member', 'round', 'final')}
    from events e where ${typed('team.result')}),
  released as materialized (
    select e.id, e.run_id, ${field('activationId', 'member')}
    from events e where ${typed('team.released')} and e.body ->> '$.how' = 'satisfied')
insert into pieces (run_id, "key", kind, name, title, accepted)
select r.run_id, r.activationId || '/member-' || r.member || '/' || r.round, 'round',
  r.member || ', round ' || r.round, null,
  r.id in (
    select max(b.id) from released y join results b
      on b.run_id = y.run_id and b.activationId = y.activationId and b.member = y.member and b.id < y.id and not b.final
    group by y.id)
from results r where true
on conflict do nothing;
update runs set
  budget_tokens = (select e.body ->> '$.definition.budget.tokens' from events e where e.run_id = runs.id and e.seq = 1),
  budget_usd = (select e.body ->> '$.definition.budget.cost_usd' from events e where e.run_id = runs.id and e.seq = 1);`;

/** Passes and repetitions of a step are the same step: `review#2[3]/fix` is `review/fix`. */
function foldPlaces(db: Db): void {
  const placed = db
    .prepare<[], { step: string }>("select distinct step from usages where step glob '*[[#]*'")
    .all();
  const rename = db.prepare('update usages set step = ?, step_title = ? where step = ?');
  for (const { step } of placed) {
    const plain = step.replace(/(?:#\d+)?(?:\[\d+\])?(?=\/|$)/g, '');
    rename.run(plain, plain.split('/').join(' / '), step);
  }
}

export const usagesMigration: Migration = {
  version: 7,
  up(db) {
    db.exec(usages);
    db.exec(earlier);
    db.exec(earlierPieces);
    foldPlaces(db);
  },
};
