import type { DeliveryFilter } from '@contract/delivery/target';
import { z } from 'zod';
import type { DeliveryWriter, Tried } from '../../../core/ports/deliveries';
import { atLeisure, type Db, reading, type Write, writing } from '../sql';

/** Bounds of a step, so that it holds the thread for a few milliseconds. */
const AT_ONCE = 300;

/** Which updates `u` with their events `e` a filter lets through. A loop's story comes from evidence, any other one from its step. */
const TAKES: Readonly<Record<DeliveryFilter, string>> = {
  everything: '1',
  loops: "(e.body ->> '$.update.storySource') <> 'step'",
  trouble: "u.result in ('blocked', 'failed')",
};

const numberSchema = z.object({ value: z.number().nullable() });
const cursorSchema = z.object({ id: z.string(), cursor: z.number() });

export function deliveryWriter(db: Db): DeliveryWriter {
  const takeIn = updateTaker(db);
  const recover = writing(
    db,
    "update deliveries set state = iif(error is null, 'queued', 'failed') where state = 'sending'",
  );
  const begin = writing(
    db,
    "update deliveries set state = 'sending', attempts = attempts + 1, tried_at = ? where id = ?",
  );
  const end = ender(db);
  const reopen = `update deliveries set next_at = ?, closed_at = null, queued_at = iif(closed_at is null, queued_at, ?),
    state = iif(state = 'given_up', 'failed', state)
    where (closed_at is null or state = 'given_up') and state <> 'sending'`;
  const retryOne = writing(db, `${reopen} and id = ?`);
  const retryAll = writing(db, `${reopen} and target = ?`);
  const drop = writing(
    db,
    `update deliveries set state = 'given_up', closed_at = ?, error = 'The target was removed.'
     where closed_at is null and target not in (select value from json_each(?))`,
  );
  const openOnes = reading(
    db,
    numberSchema,
    'select 1 as value from deliveries where closed_at is null and target not in (select value from json_each(?)) limit 1',
  );
  return {
    takeInUpdates: takeIn,
    recoverDeliveries: () => void atLeisure(db, () => recover.run()),
    beginDelivery: (id, at) => void atLeisure(db, () => begin.run(at, id)),
    endDelivery: (id, tried) => void atLeisure(db, () => end(id, tried)),
    retryDeliveries: (which, at) =>
      atLeisure(db, () =>
        'id' in which ? retryOne.run(at, at, which.id) : retryAll.run(at, at, which.target),
      ).changes,
    dropDeliveries(known, at) {
      const names = JSON.stringify(known);
      if (openOnes.get(names) !== null) atLeisure(db, () => drop.run(at, names));
    },
  };
}

function ender(db: Db) {
  const delivered = writing(
    db,
    "update deliveries set state = 'delivered', closed_at = ?, receipt = ?, error = null where id = ?",
  );
  const failed = writing(db, "update deliveries set state = 'failed', error = ?, next_at = ? where id = ?");
  const givenUp = writing(
    db,
    "update deliveries set state = 'given_up', closed_at = ?, error = ? where id = ?",
  );
  const cutOff = writing(
    db,
    `update deliveries set state = iif(error is null, 'queued', 'failed'), attempts = attempts - 1
     where id = ? and state = 'sending'`,
  );
  return (id: number, tried: Tried): void => {
    switch (tried.kind) {
      case 'delivered':
        delivered.run(tried.at, tried.receipt, id);
        return;
      case 'failed':
        failed.run(tried.error, tried.nextAt, id);
        return;
      case 'given_up':
        givenUp.run(tried.at, tried.error, id);
        return;
      case 'cut_off':
        cutOff.run(id);
    }
  };
}

/** Each target follows the updates by a cursor of its own, as the word list follows the events. */
function updateTaker(db: Db): DeliveryWriter['takeInUpdates'] {
  const cursors = reading(db, cursorSchema, 'select id, cursor from delivery_targets');
  const newest = reading(db, numberSchema, 'select max(event_id) as value from updates');
  const end = reading(
    db,
    numberSchema,
    `select max(event_id) as value
     from (select event_id from updates where event_id > ? order by event_id limit ${AT_ONCE})`,
  );
  const move = writing(
    db,
    'insert into delivery_targets (id, cursor) values (?, ?) on conflict do update set cursor = excluded.cursor',
  );
  const forget = writing(db, 'delete from delivery_targets where id = ?');
  const inserts = new Map<DeliveryFilter, Write>();
  const insertFor = (filter: DeliveryFilter): Write => {
    const known = inserts.get(filter);
    if (known) return known;
    const made = writing(db, insertOf(filter));
    inserts.set(filter, made);
    return made;
  };

  return (targets, now) => {
    const known = new Map(cursors.all().map(({ id, cursor }) => [id, cursor]));
    const top = newest.get()?.value ?? 0;
    const stale = [...known.keys()].filter((id) => !targets.some((target) => target.id === id));
    const behind = targets.filter(({ id }) => (known.get(id) ?? -1) < top);
    if (stale.length === 0 && behind.length === 0) return false;
    return atLeisure(db, () => {
      for (const id of stale) forget.run(id);
      let more = false;
      for (const { id, filter } of behind) {
        const from = known.get(id);
        // The first time that it is named.
        const to = from === undefined ? top : (end.get(from)?.value ?? top);
        if (from !== undefined) insertFor(filter).run(id, now, now, id, from, to);
        move.run(id, to);
        more ||= to < top;
      }
      return more;
    });
  };
}

const insertOf = (filter: DeliveryFilter): string => `
  insert into deliveries (event_id, run_id, target, state, attempts, queued_at, next_at, key)
  select u.event_id, u.run_id, ?, 'queued', 0, ?, ?, 'muster:' || r.uid || ':' || e.seq || ':' || ?
  from updates u cross join runs r on r.id = u.run_id cross join events e on e.id = u.event_id
  where u.event_id > ? and u.event_id <= ? and u.event_id > coalesce(r.imported_to, 0) and ${TAKES[filter]}
  order by u.event_id
  on conflict do nothing`;
