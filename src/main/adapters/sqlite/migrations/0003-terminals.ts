import type { Migration } from './migration';

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

/** An output's length over time. Read from the newest, removed from the oldest, both by number. */
const lengths = `
create table terminal_lengths (
  terminal_id integer not null references terminals (id) on delete cascade,
  seq integer not null,
  "offset" integer not null,
  at integer not null,
  primary key (terminal_id, seq)
) strict, without rowid;`;

export const terminalsMigration: Migration = {
  version: 3,
  up(db) {
    for (const part of [terminals, lengths]) db.exec(part);
  },
};
