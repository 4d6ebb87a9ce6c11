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

create table settings (
  key text primary key,
  value text not null
) strict, without rowid;`;

const runs = `
create table runs (
  id integer primary key,
  uid text not null unique,
  name text not null,
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
  binned_at integer,
  bytes integer
) strict;
create index runs_by_project on runs (project_id);
create index runs_by_status on runs (status, id);
create index runs_unfinished on runs (id) where finished_at is null;
create index runs_binned on runs (id) where binned_at is not null;`;

/** The type has its own column, as a number, and is not in the body; an event's text is stored only here. */
const events = `
create table event_types (
  id integer primary key,
  name text not null unique
) strict;

create table events (
  id integer primary key,
  run_id integer not null references runs (id) on delete cascade,
  seq integer not null,
  at integer not null,
  type integer not null references event_types (id),
  body text not null,
  unique (run_id, seq)
) strict;
create trigger events_are_for_ever before update on events
begin
  select raise(abort, 'an event is never changed');
end;`;

const work = `
create table activations (
  run_id integer not null references runs (id) on delete cascade,
  activation_id integer not null,
  step_id text not null,
  attempt integer not null,
  outcome text,
  started_at integer not null,
  finished_at integer,
  primary key (run_id, activation_id)
) strict, without rowid;

create table sessions (
  run_id integer not null references runs (id) on delete cascade,
  session_id integer not null,
  profile_id text not null,
  agent text,
  provider_session_id text,
  cwd text,
  status text not null,
  since integer not null,
  primary key (run_id, session_id)
) strict, without rowid;

create table turns (
  run_id integer not null references runs (id) on delete cascade,
  turn_id integer not null,
  activation_id integer not null,
  session_id integer not null,
  ordinal integer not null,
  status text not null,
  started_at integer not null,
  finished_at integer,
  tokens real,
  cost_usd real,
  untold integer,
  primary key (run_id, turn_id)
) strict, without rowid;
create index turns_by_end on turns (finished_at) where untold is not null;

create table commands (
  run_id integer not null references runs (id) on delete cascade,
  command_id integer not null,
  activation_id integer not null,
  status text not null,
  exit_code integer,
  started_at integer not null,
  finished_at integer,
  primary key (run_id, command_id)
) strict, without rowid;`;

/**
 * Rows for lists. `opened_event` and `event_id` refer to the text. Nearly every update is `completed`, so
 * only other results are indexed.
 */
const shown = `
create table gates (
  run_id integer not null references runs (id) on delete cascade,
  gate_id integer not null,
  opened_event integer not null,
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

create table updates (
  event_id integer primary key,
  run_id integer not null references runs (id) on delete cascade,
  result text not null
) strict;
create index updates_by_run on updates (run_id, event_id);
create index updates_blocked on updates (event_id) where result = 'blocked';
create index updates_failed on updates (event_id) where result = 'failed';
create index updates_no_op on updates (event_id) where result = 'no-op';

create table artifacts (
  event_id integer primary key,
  run_id integer not null references runs (id) on delete cascade,
  kind text not null,
  path text not null,
  bytes integer not null
) strict;
create index artifacts_by_run on artifacts (run_id);`;

/**
 * A contentless index of words (rowid = event id): a quarter of a full index, but without phrase search.
 * Combining marks belong to words, otherwise scripts that write vowels as marks would be split.
 */
const search = `
create virtual table search using fts5 (
  text, content = '', contentless_delete = 1, detail = none,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);`;

export const runsMigration: Migration = {
  version: 1,
  up(db) {
    for (const part of [meta, catalog, runs, events, work, shown, search]) db.exec(part);
  },
};
