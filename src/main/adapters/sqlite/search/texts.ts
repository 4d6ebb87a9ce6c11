import { TYPE_NAME } from '../log/event-types';

/** Which events `e` are searched. */
export const IS_SEARCHED = `e.type in (select id from event_types where name in (
  'update.posted', 'run.started', 'turn.dispatched', 'turn.finished', 'turn.interrupted'))`;

/** What lies beyond is not searched: one document must not stop everything else for long. */
const MAX_CHARACTERS = 200_000;

/** The text of an event `e` that is searched. */
export const TEXT = `
  substr(case ${TYPE_NAME}
    when 'update.posted' then e.body ->> '$.text'
    when 'turn.dispatched' then e.body ->> '$.prompt'
    when 'turn.finished' then e.body ->> '$.response'
    when 'turn.interrupted' then e.body ->> '$.partial'
    when 'run.started' then (e.body ->> '$.name') || char(10) || (e.body ->> '$.instruction')
  end, 1, ${MAX_CHARACTERS})`;

/** A word that nobody types, from the private use area: it stands in each update, so that the feed finds only those. */
export const UPDATE_MARK = '\u{e000}';

export const INDEXED_TEXT = `iif(${TYPE_NAME} = 'update.posted', '${UPDATE_MARK} ', '') || ${TEXT}`;
