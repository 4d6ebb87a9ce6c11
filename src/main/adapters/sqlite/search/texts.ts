/** Which events are searched for which text; `events` is the table's name or alias. */
export const SEARCHED_UPDATES = ['update.posted'] as const;
export const SEARCHED_TURNS = [
  'run.started',
  'turn.dispatched',
  'turn.finished',
  'turn.interrupted',
] as const;

export type SearchedType = (typeof SEARCHED_UPDATES)[number] | (typeof SEARCHED_TURNS)[number];

/** What lies beyond is not searched: one document must not stop everything else for long. */
const MAX_CHARACTERS = 200_000;

export const textOf = (events: string): string => `
  substr(case ${events}.type
    when 'update.posted' then ${events}.body ->> '$.text'
    when 'turn.dispatched' then ${events}.body ->> '$.prompt'
    when 'turn.finished' then ${events}.body ->> '$.response'
    when 'turn.interrupted' then ${events}.body ->> '$.partial'
    when 'run.started' then (${events}.body ->> '$.name') || char(10) || (${events}.body ->> '$.instruction')
  end, 1, ${MAX_CHARACTERS})`;

export const inList = (types: readonly SearchedType[]): string => types.map((type) => `'${type}'`).join(', ');
