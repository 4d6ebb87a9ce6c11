import type { Migration } from './migration';

/** Counters that must never repeat, and cursors. */
const meta = `
create table meta (
  name text primary key,
  value integer not null
) strict, without rowid;`;

const catalog = `
create table projects (
  id integer primary key,
  path text not null unique,
  name text not null,
  added_at integer not null,
  removed_at integer
) strict;

create table agent_profiles (
  id text primary key,
  body text not null,
  saved_at integer not null
) strict, without rowid;

create table hosts (
  name text primary key,
  ssh text not null,
  added_at integer not null
) strict, without rowid;

create table settings (
  key text primary key,
  value text not null
) strict, without rowid;`;

/**
 * Events up to `imported_to` were imported: no one is notified of them. A run's row changes often, so its
 * instruction, which may be long, is not in it.
 */
const runs = `
create table runs (
  id integer primary key,
  uid text not null unique,
  name text not null,
  workflow_name text not null,
  agents text not null,
  project_id integer not null references projects (id),
  source_file text,
  started_by text not null,
  status text not null,
  outcome text,
  reason text,
  started_at integer not null,
  finished_at integer,
  at integer not null,
  steps integer not null,
  steps_done integer not null,
  open_gates integer not null,
  now text,
  tokens real not null,
  cost_usd real not null,
  budget_tokens real,
  budget_usd real,
  imported_to integer,
  binned_at integer,
  bytes integer
) strict;
create table instructions (
  run_id integer primary key references runs (id) on delete cascade,
  text text not null
) strict;
create index runs_by_project on runs (project_id);
create index runs_by_status on runs (status, id);
create index runs_by_end on runs (finished_at) where finished_at is not null;
create index runs_unfinished on runs (id) where finished_at is null;
create index runs_binned on runs (id) where binned_at is not null;`;

/**
 * The type has its own column, as a number, and is not in the body; an event's text is stored only here. A range
 * has the \`id\` and \`seq\` of its first event, and ends where the next range of any run begins.
 */
const events = `
create table event_types (
  id integer primary key,
  name text not null unique
) strict;

create table events (
  id integer primary key,
  run_id integer not null,
  seq integer not null,
  at integer not null,
  type integer not null references event_types (id),
  body text not null
) strict;
create table event_ranges (
  id integer primary key,
  run_id integer not null references runs (id) on delete cascade,
  seq integer not null,
  unique (run_id, seq)
) strict;
create trigger events_end_with_their_run before delete on runs
begin
  delete from events where id in (
    select e.id from event_ranges g cross join events e on e.id >= g.id
      and e.id < coalesce((select min(n.id) from event_ranges n where n.id > g.id), 9223372036854775807)
    where g.run_id = old.id);
end;
create trigger events_are_for_ever before update on events
begin
  select raise(abort, 'an event is never changed');
end;`;

const work = `
create table sessions (
  run_id integer not null references runs (id) on delete cascade,
  session_id integer not null,
  profile_id text not null,
  cwd text,
  primary key (run_id, session_id)
) strict, without rowid;

create table turns (
  run_id integer not null references runs (id) on delete cascade,
  turn_id integer not null,
  activation_id integer not null,
  session_id integer not null,
  started_at integer not null,
  primary key (run_id, turn_id)
) strict, without rowid;`;

/** Rows for the inbox. `opened_event` refers to the text. A rule's use and its dry run are read from here. */
const gates = `
create table gates (
  run_id integer not null references runs (id) on delete cascade,
  gate_id integer not null,
  opened_event integer not null,
  kind text not null,
  step_id text,
  step_title text,
  agent text,
  status text not null,
  opened_at integer not null,
  closed_at integer,
  answer text,
  answered_by text,
  snoozed_until integer,
  primary key (run_id, gate_id)
) strict, without rowid;
create index gates_open on gates (opened_at) where closed_at is null;
create index gates_closed on gates (closed_at) where closed_at is not null;
create index gates_permission on gates (opened_event) where kind = 'permission';
create index gates_by_rule on gates (answered_by, closed_at) where substr(answered_by, 1, 5) = 'rule ';`;

/** `event_id` refers to the text. Nearly every update is `completed`, so only other results are indexed. */
const updates = `
create table updates (
  event_id integer primary key,
  run_id integer not null references runs (id) on delete cascade,
  result text not null,
  step_id text,
  agent text
) strict;
create index updates_by_run on updates (run_id, event_id);
create index updates_by_step on updates (step_id, event_id);
create index updates_by_agent on updates (agent, event_id) where agent is not null;
create index updates_blocked on updates (event_id) where result = 'blocked';
create index updates_failed on updates (event_id) where result = 'failed';
create index updates_no_op on updates (event_id) where result = 'no-op';`;

/**
 * What targets receive besides updates: questions, waits and ends of loops and teams. The step's type and
 * title never change, so they are stored here and no run has to be read. `trouble`: an unsuccessful end, or a
 * question.
 */
const announcements = `
create table announcements (
  event_id integer primary key,
  run_id integer not null references runs (id) on delete cascade,
  subject text not null,
  step_type text not null,
  step_title text not null,
  trouble integer not null
) strict;
create index announcements_by_run on announcements (run_id);`;

/**
 * Deliveries of updates and announcements. Open ones are found by target and run, so that each run's oldest
 * is sent first. `cursor`: the last one that a target has seen. A target without a row starts with the next.
 */
const deliveries = `
create table delivery_targets (
  id text primary key,
  cursor integer not null
) strict, without rowid;

create table deliveries (
  id integer primary key,
  event_id integer not null,
  run_id integer not null references runs (id) on delete cascade,
  target text not null,
  subject text not null,
  state text not null,
  attempts integer not null,
  queued_at integer not null,
  next_at integer not null,
  tried_at integer,
  closed_at integer,
  error text,
  receipt text,
  key text not null unique,
  unique (event_id, target)
) strict;
create index deliveries_by_run on deliveries (run_id);
create index deliveries_open on deliveries (target, run_id, event_id) where closed_at is null;
create index deliveries_given_up on deliveries (target) where state = 'given_up';
create index deliveries_done on deliveries (target, closed_at) where state = 'delivered';
create index deliveries_by_target on deliveries (target, id);`;

/** A rule's patterns never change, because gates name it as what answered them. */
const rules = `
create table permission_rules (
  id text primary key,
  agent text not null,
  tool text not null,
  path text,
  command text,
  effect text not null,
  reason text not null,
  expires_at integer,
  scope text not null,
  run_id integer references runs (id) on delete cascade,
  project_id integer references projects (id),
  created_at integer not null,
  created_by text not null,
  removed_at integer
) strict, without rowid;
create index permission_rules_by_run on permission_rules (run_id) where run_id is not null;
create index permission_rules_by_project on permission_rules (project_id) where project_id is not null;`;

/** `bytes` is the end of the output, `evicted` the first kept offset. */
const terminals = `
create table terminals (
  id integer primary key,
  run_id integer not null references runs (id) on delete cascade,
  name text not null,
  output_path text not null unique,
  opened_at integer not null,
  closed_at integer,
  bytes integer not null,
  evicted integer not null,
  unique (run_id, name)
) strict;
create index terminals_open on terminals (id) where closed_at is null;`;

/**
 * What each model answer used, with agent, duration and step. Null: not reported. Agents' names and steps'
 * titles are as of that run. A piece is an attempt at a story or a member's round.
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
) strict, without rowid;`;

/**
 * A contentless index of words (rowid = event id): a quarter of a full index, but without phrase search.
 * Combining marks belong to words, otherwise scripts that write vowels as marks would be split.
 */
const search = `
create virtual table search using fts5 (
  text, content = '', contentless_delete = 1, detail = none,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);`;

const shown = [gates, updates, announcements, deliveries, rules, terminals, usages, search];

/** The tables of 0.1.0. */
export const schemaMigration: Migration = {
  version: 1,
  up(db) {
    for (const part of [meta, catalog, runs, events, work, ...shown]) db.exec(part);
  },
};
