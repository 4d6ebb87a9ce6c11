import type { SearchKind } from '@areas/feed/contract/procedures';
import { messageEvents } from '@features/contract';
import { TYPE_NAME } from '../log/event-types';

const MESSAGES = messageEvents.map((type) => `'${type}'`).join(', ');

/** Which events `e` are searched. */
export const IS_SEARCHED = `e.type in (select id from event_types where name in (
  'update.posted', 'run.started', 'run.renamed', 'turn.dispatched', 'turn.finished', 'turn.interrupted', 'gate.opened', ${MESSAGES}))`;

/** Text beyond this is not searched: one document must not block everything else. */
const MAX_CHARACTERS = 200_000;

/** A text, or the beginning and the end of one that is in a file. */
const marked = (field: string): string =>
  `(e.body ->> '$.${field}.preview.first') || char(10) || (e.body ->> '$.${field}.preview.last'), e.body ->> '$.${field}'`;

/** Each searched type has one of these fields; runs and questions have two others. */
const WHOLE_TEXT = `
  coalesce(e.body ->> '$.text', e.body ->> '$.prompt', ${marked('response')}, ${marked('partial')},
    (e.body ->> '$.name') || char(10) || (e.body ->> '$.instruction'),
    (e.body ->> '$.title') || char(10) || (e.body ->> '$.message'), e.body ->> '$.name')`;

/** The searched text of an event `e`. Cutting costs as much as reading, so a short one is not cut. */
export const TEXT = `
  iif(octet_length(e.body) > ${MAX_CHARACTERS}, substr(${WHOLE_TEXT}, 1, ${MAX_CHARACTERS}), ${WHOLE_TEXT})`;

/** A private-use word that no one types: each update contains it, so that the feed finds only updates. */
export const UPDATE_MARK = '\u{e000}';

/** Likewise in messages and in questions. */
export const MESSAGE_MARK = '\u{e001}';
export const GATE_MARK = '\u{e002}';

export const INDEXED_TEXT = `case
  when ${TYPE_NAME} = 'update.posted' then '${UPDATE_MARK} '
  when ${TYPE_NAME} = 'gate.opened' then '${GATE_MARK} '
  when ${TYPE_NAME} in (${MESSAGES}) then '${MESSAGE_MARK} '
  else '' end || ${TEXT}`;

/** The events whose texts are of these kinds; those of all other searched events are of turns. */
export const KIND_EVENTS: Readonly<Record<Exclude<SearchKind, 'turn'>, readonly string[]>> = {
  update: ['update.posted'],
  run: ['run.started', 'run.renamed'],
  gate: ['gate.opened'],
  message: messageEvents,
};
