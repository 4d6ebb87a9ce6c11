import { deliveryTargetSchema } from '@areas/deliveries/contract/target';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../core/ports/store/store';
import { must, Place } from '../testing/place';
import { started, Teller, update } from '../testing/story';

const target = deliveryTargetSchema.parse({ kind: 'command', id: 'all', name: 'All', command: 'true' });

let place: Place;
let store: Store;
/** A delivery that is being sent. */
let id: number;

beforeEach(async () => {
  place = new Place();
  store = place.open();
  const project = store.addProject('/projects/sample', 'sample', 1);
  // The target gets what is posted after it was named.
  store.takeInNews([target], 1);
  const teller = new Teller(store);
  must(await teller.tell(started({ uid: '01RUN', projectId: project.id }), update('one')));
  store.takeInNews([target], 2);
  id = store.nextDelivery('all')?.id ?? 0;
  store.beginDelivery(id, 3);
});
afterEach(() => place.remove());

const row = () => store.deliveries({ limit: 10 }).rows[0];

test('a delivery that is being sent is not retried beside that', () => {
  const before = row();
  expect(before).toMatchObject({ state: 'sending', attempts: 1 });
  expect(store.retryDeliveries({ id }, 9_000)).toBe(0);
  expect(store.retryDeliveries({ target: 'all' }, 9_000)).toBe(0);
  expect(row()).toEqual(before);
  store.endDelivery(id, { kind: 'failed', error: 'Away.', nextAt: 50_000 });
  expect(store.retryDeliveries({ id }, 9_000)).toBe(1);
  expect(row()).toMatchObject({ state: 'failed', nextAt: 9_000 });
});

test('the end of waiting for a delivery does not open it again where its target was removed meanwhile', () => {
  store.dropDeliveries([], 4);
  const dropped = row();
  expect(dropped).toMatchObject({ state: 'given_up', attempts: 1, closedAt: 4 });
  store.endDelivery(id, { kind: 'cut_off' });
  expect(row()).toEqual(dropped);
});

test('a delivery that was cut off waits as it did before, with one attempt less', () => {
  store.endDelivery(id, { kind: 'cut_off' });
  expect(row()).toMatchObject({ state: 'queued', attempts: 0 });
});
