/**
 * The tables of the shared log. `xid` is the transaction that wrote an entry: a reader goes as far as the oldest
 * running transaction (DESIGN.md, "The horizon"), which numbers from a sequence do not allow.
 */
export const SCHEMA_VERSION = 1;

export const SCHEMA = `
create schema muster;

create table muster.about (
  version int not null,
  log uuid not null default gen_random_uuid()
);
insert into muster.about (version) values (${SCHEMA_VERSION});

create table muster.eras (
  era int generated always as identity primary key,
  cluster text not null
);

create table muster.servers (
  id uuid primary key,
  name text not null,
  seen timestamptz not null
);

create table muster.leases (
  run bigint primary key,
  uid text not null unique,
  head int not null,
  epoch int not null,
  holder uuid,
  finished boolean not null,
  last_append uuid not null
);
create index leases_open on muster.leases (holder) where not finished;

create table muster.log (
  id bigint generated always as identity primary key,
  era int not null,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  run bigint,
  seq int,
  at bigint,
  body text not null
);
create unique index log_order on muster.log (era, xid, id);
create unique index log_runs on muster.log (run, seq) where seq is not null;

create table muster.records (
  kind text not null,
  key text not null,
  version int not null,
  body text not null,
  primary key (kind, key)
);

create sequence muster.run_numbers;
create sequence muster.project_numbers;
`;
