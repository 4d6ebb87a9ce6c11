import { TYPE_NAME } from '../log/event-types';

/** Which events `e` are searched. */
export const IS_SEARCHED = `e.type in (select id from event_types where name in (
  'update.posted', 'run.started', 'turn.dispatched', 'turn.finished', 'turn.interrupted'))`;

/** What lies beyond is not searched: one document must not stop everything else for long. */
const MAX_CHARACTERS = 200_000;

/** Each of the types that are searched has one of these fields; a run has two others. */
const WHOLE_TEXT = `
  coalesce(e.body ->> '$.text', e.body ->> '$.prompt', e.body ->> '$.response', e.body ->> '$.partial',
    (e.body ->> '$.name') || char(10) || (e.body ->> '$.instruction'))`;

/** The text of an event `e` that is searched. To cut it costs as much as to read it, so a short one is not cut. */
export const TEXT = `
  iif(octet_length(e.body) > ${MAX_CHARACTERS}, substr(${WHOLE_TEXT}, 1, ${MAX_CHARACTERS}), ${WHOLE_TEXT})`;

/** A word that no one types, from the private use area: it stands in each update, so that the feed finds only those. */
export const UPDATE_MARK = '\u{e000}';

export const INDEXED_TEXT = `iif(${TYPE_NAME} = 'update.posted', '${UPDATE_MARK} ', '') || ${TEXT}`;
