import { eventKinds, type RunEventType } from '@contract/run/events';
import { z } from 'zod';
import { atomically, type Db, reading, writing } from '../sql';

/** The name of event `e`'s type. A row holds its number, which is a twentieth of a usual event smaller. */
export const TYPE_NAME = '(select name from event_types where id = e.type)';

const rowSchema = z.object({ id: z.number(), name: z.string() });

/** The number of each type that this build knows; one that the database has not met yet is given its own. */
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
