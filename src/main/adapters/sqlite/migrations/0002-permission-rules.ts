import type { Migration } from './migration';

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

/** A rule's usage and dry run are read from the gates; the dry run newest first. */
const gates = `
alter table gates add column kind text;
update gates set kind =
  (select json_extract(body, '$.kind') from events where events.id = gates.opened_event);
create index gates_permission on gates (opened_event) where kind = 'permission';
create index gates_by_rule on gates (answered_by, closed_at) where substr(answered_by, 1, 5) = 'rule ';`;

export const permissionRulesMigration: Migration = {
  version: 2,
  up(db) {
    for (const part of [rules, gates]) db.exec(part);
  },
};
