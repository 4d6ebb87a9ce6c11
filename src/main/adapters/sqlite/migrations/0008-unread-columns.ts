import type { Migration } from './migration';

/** A new table is filled, instead of a table rewritten for each dropped column. */
const activations = `
create table activations_8 (
  run_id integer not null references runs (id) on delete cascade,
  activation_id integer not null,
  step_id text not null,
  primary key (run_id, activation_id)
) strict, without rowid;
insert into activations_8 select run_id, activation_id, step_id from activations;
drop table activations;
alter table activations_8 rename to activations;`;

const sessions = `
create table sessions_8 (
  run_id integer not null references runs (id) on delete cascade,
  session_id integer not null,
  profile_id text not null,
  cwd text,
  primary key (run_id, session_id)
) strict, without rowid;
insert into sessions_8 select run_id, session_id, profile_id, cwd from sessions;
drop table sessions;
alter table sessions_8 rename to sessions;`;

const turns = `
create table turns_8 (
  run_id integer not null references runs (id) on delete cascade,
  turn_id integer not null,
  activation_id integer not null,
  session_id integer not null,
  started_at integer not null,
  primary key (run_id, turn_id)
) strict, without rowid;
insert into turns_8 select run_id, turn_id, activation_id, session_id, started_at from turns;
drop table turns;
alter table turns_8 rename to turns;`;

const commands = `
create table commands_8 (
  run_id integer not null references runs (id) on delete cascade,
  command_id integer not null,
  primary key (run_id, command_id)
) strict, without rowid;
insert into commands_8 select run_id, command_id from commands;
drop table commands;
alter table commands_8 rename to commands;`;

/**
 * Commands' outputs are in their events. The times at which a terminal's output grew are nowhere else, but no
 * version shows them any more, and they are in the copy made before a migration.
 */
const unused = `
drop table artifacts;
drop table terminal_lengths;`;

/** Removes what nothing reads: columns that repeat the events, and two tables. */
export const unreadColumnsMigration: Migration = {
  version: 8,
  up(db) {
    for (const part of [activations, sessions, turns, commands, unused]) db.exec(part);
  },
};
