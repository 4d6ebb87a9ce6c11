import type { Migration } from './migration';

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

/** The subject of a delivery; earlier ones are updates. */
const subject = `
alter table deliveries add column subject text not null default 'update';`;

export const announcementsMigration: Migration = {
  version: 5,
  up(db) {
    for (const part of [announcements, subject]) db.exec(part);
  },
};
