import type { DeliveryFilter, DeliveryKind } from '@areas/deliveries/contract/target';
import { announcedSteps } from '@contract/run/features/feature-answers';
import { z } from 'zod';
import type { DeliveryWriter, Tried } from '../../../core/ports/store/deliveries';
import { atLeisure, type Db, reading, type Write, writing } from '../sql';

/** Limits a step to a few milliseconds. */
const AT_ONCE = 300;

/**
 * Which updates `u` with their events `e` pass a filter. A loop's story comes from evidence, any other from
 * its step.
 */
const TAKES: Readonly<Record<DeliveryFilter, string>> = {
  everything: '1',
  loops: "(e.body ->> '$.update.storySource') <> 'step'",
  trouble: "u.result in ('blocked', 'failed')",
};

const LOOPS = announcedSteps.flatMap(({ step, isLoop }) => (isLoop ? [`'${step}'`] : [])).join();

/** Which announcements `a` pass a filter. */
const TELLS: Readonly<Record<DeliveryFilter, string>> = {
  everything: '1',
  loops: `a.step_type in (${LOOPS})`,
  trouble: 'a.trouble = 1',
};

/** A target's kinds as subjects of announcements. */
const SUBJECTS: Readonly<Record<DeliveryKind, readonly string[]>> = {
  updates: [],
  questions: ['question', 'wait'],
  ends: ['end'],
};

const numberSchema = z.object({ value: z.number().nullable() });
const cursorSchema = z.object({ id: z.string(), cursor: z.number() });

export function deliveryWriter(db: Db): DeliveryWriter {
  const takeIn = newsTaker(db);
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
    takeInNews: takeIn,
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
  const obsolete = writing(
    db,
    `update deliveries set state = 'obsolete', attempts = attempts - 1, closed_at = ?, receipt = ?, error = null
     where id = ?`,
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
      case 'obsolete':
        obsolete.run(tried.at, tried.why, id);
        return;
      case 'cut_off':
        cutOff.run(id);
    }
  };
}

/** Each target follows updates and announcements with its own cursor, as the word index follows events. */
function newsTaker(db: Db): DeliveryWriter['takeInNews'] {
  const cursors = reading(db, cursorSchema, 'select id, cursor from delivery_targets');
  const newest = reading(
    db,
    numberSchema,
    `select max(event_id) as value from (select max(event_id) as event_id from updates
       union all select max(event_id) from announcements)`,
  );
  const next = (table: string): string =>
    `select event_id from (select event_id from ${table} where event_id > ? order by event_id limit ${AT_ONCE})`;
  const end = reading(
    db,
    numberSchema,
    `select max(event_id) as value from
       (select event_id from (${next('updates')} union all ${next('announcements')})
        order by event_id limit ${AT_ONCE})`,
  );
  const move = writing(
    db,
    'insert into delivery_targets (id, cursor) values (?, ?) on conflict do update set cursor = excluded.cursor',
  );
  const forget = writing(db, 'delete from delivery_targets where id = ?');
  const insert = inserter(db);

  return (targets, now) => {
    const known = new Map(cursors.all().map(({ id, cursor }) => [id, cursor]));
    const top = newest.get()?.value ?? 0;
    const stale = [...known.keys()].filter((id) => !targets.some((target) => target.id === id));
    const behind = targets.filter(({ id }) => (known.get(id) ?? -1) < top);
    if (stale.length === 0 && behind.length === 0) return false;
    return atLeisure(db, () => {
      for (const id of stale) forget.run(id);
      let more = false;
      for (const target of behind) {
        const from = known.get(target.id);
        // The target is new.
        const to = from === undefined ? top : (end.get(from, from)?.value ?? top);
        if (from !== undefined) insert(target, { from, to, now });
        move.run(target.id, to);
        more ||= to < top;
      }
      return more;
    });
  };
}

type Taker = Parameters<DeliveryWriter['takeInNews']>[0][number];

/** Creates one target's deliveries for the events between two ids. */
function inserter(db: Db) {
  const prepared = new Map<string, Write>();
  const known = (sql: string): Write => {
    const write = prepared.get(sql) ?? writing(db, sql);
    prepared.set(sql, write);
    return write;
  };
  return (
    { id, filter, sends }: Taker,
    { from, to, now }: { from: number; to: number; now: number },
  ): void => {
    if (sends.includes('updates')) known(updatesOf(filter)).run(id, now, now, id, from, to);
    const subjects = sends.flatMap((kind) => SUBJECTS[kind]);
    if (subjects.length > 0) {
      known(announcementsOf(filter)).run(id, now, now, id, from, to, JSON.stringify(subjects));
    }
  };
}

const INSERT = `insert into deliveries (event_id, run_id, target, subject, state, attempts, queued_at, next_at, key)`;
const VALUES = (subject: string): string =>
  `r.id, ?, ${subject}, 'queued', 0, ?, ?, 'muster:' || r.uid || ':' || e.seq || ':' || ?`;

const updatesOf = (filter: DeliveryFilter): string => `
  ${INSERT}
  select u.event_id, ${VALUES("'update'")}
  from updates u cross join runs r on r.id = u.run_id cross join events e on e.id = u.event_id
  where u.event_id > ? and u.event_id <= ? and u.event_id > coalesce(r.imported_to, 0) and ${TAKES[filter]}
  order by u.event_id
  on conflict do nothing`;

const announcementsOf = (filter: DeliveryFilter): string => `
  ${INSERT}
  select a.event_id, ${VALUES('a.subject')}
  from announcements a cross join runs r on r.id = a.run_id cross join events e on e.id = a.event_id
  where a.event_id > ? and a.event_id <= ? and a.event_id > coalesce(r.imported_to, 0) and ${TELLS[filter]}
    and a.subject in (select value from json_each(?))
  order by a.event_id
  on conflict do nothing`;
