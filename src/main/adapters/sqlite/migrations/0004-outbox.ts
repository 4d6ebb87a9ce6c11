import type { Migration } from './migration';

/**
 * Deliveries of updates. Open ones are found by target and run, so that each run's oldest is sent first.
 * `cursor`: the last update that a target has seen. A target without a row starts with the next update.
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

/** Events up to this id were imported: no one is notified of them. */
const imports = `
alter table runs add column imported_to integer;`;

/** The sender of an update, so that the feed can be filtered by step or agent. */
const updates = `
alter table updates add column step_id text;
alter table updates add column agent text;
update updates set
  step_id = (select e.body ->> '$.stepId' from events e where e.id = updates.event_id),
  agent = (select s.profile_id from events e
    join turns t on t.run_id = updates.run_id and t.turn_id = e.body ->> '$.turnId'
    join sessions s on s.run_id = t.run_id and s.session_id = t.session_id
    where e.id = updates.event_id);
create index updates_by_step on updates (step_id, event_id);
create index updates_by_agent on updates (agent, event_id) where agent is not null;`;

/** Existing updates count as read. */
const mark = `
insert or ignore into settings (key, value)
  select 'feed.readTo', cast(coalesce(max(event_id), 0) as text) from updates;`;

export const outboxMigration: Migration = {
  version: 4,
  up(db) {
    for (const part of [deliveries, imports, updates, mark]) db.exec(part);
  },
};
