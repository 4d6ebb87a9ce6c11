import { eventKinds, type RunEventType } from '@contract/run/events';
import { z } from 'zod';
import { atomically, type Db, reading, writing } from '../sql';

/** The type name of event `e`. Rows store its number, which saves a twentieth of a typical event. */
export const TYPE_NAME = '(select name from event_types where id = e.type)';

const rowSchema = z.object({ id: z.number(), name: z.string() });

/** Type numbers; a type new to the database gets the next number. */
export function eventTypes(db: Db): (type: RunEventType) => number {
  const known = reading(db, rowSchema, 'select id, name from event_types');
  const numbers = new Map(known.all().map(({ id, name }) => [name, id]));
  const unknown = eventKinds.map(({ type }) => type).filter((type) => !numbers.has(type));
  if (unknown.length > 0) {
    const insert = writing(db, 'insert into event_types (name) values (?)');
    atomically(db, () => {
      for (const type of unknown) insert.run(type);
    });
    for (const { id, name } of known.all()) numbers.set(name, id);
  }
  return (type) => {
    const number = numbers.get(type);
    if (number === undefined) throw new Error(`no number for events of type ${type}`);
    return number;
  };
}
