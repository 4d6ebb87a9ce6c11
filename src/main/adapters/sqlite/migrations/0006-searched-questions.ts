import { messageEvents } from '@features/contract';
import type { Migration } from './migration';

/**
 * Search also finds questions and messages. New ones are indexed as they arrive; this adds those that the
 * index has already passed. A private-use character distinguishes the kinds.
 */
const add = (type: string, mark: string, text: string): string => `
insert into search (rowid, text)
  select e.id, '${mark} ' || substr(${text}, 1, 200000) from events e
  where e.type = (select id from event_types where name = '${type}')
    and e.id <= (select value from meta where name = 'search_cursor') and ${text} is not null;`;

export const searchedQuestionsMigration: Migration = {
  version: 6,
  up(db) {
    db.exec(
      add('gate.opened', '\u{e002}', "((e.body ->> '$.title') || char(10) || (e.body ->> '$.message'))"),
    );
    for (const type of messageEvents) db.exec(add(type, '\u{e001}', "(e.body ->> '$.text')"));
  },
};
