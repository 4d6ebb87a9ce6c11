import type { Migration } from './migration';

/**
 * What each model answer used, with agent, duration and step. Null: not reported. Agents' names and steps'
 * titles are as of that run. A piece is an attempt at a story or a member's round. Runs older than these
 * tables are added up after the start, up to their current last event.
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
alter table runs add column budget_usd real;
create table runs_to_add_up (
  run_id integer primary key references runs (id) on delete cascade,
  up_to integer not null
) strict;
insert into runs_to_add_up (run_id, up_to) select id, (select max(id) from events) from runs
  where exists (select 1 from events);`;

export const usagesMigration: Migration = {
  version: 7,
  up(db) {
    db.exec(usages);
  },
};
