import { gateOrigin } from '@areas/gates/contract/requester';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gate, Harness, task } from '../../../core/engine/testing/harness';
import type { Store } from '../../../core/ports/store/store';
import { Place } from '../testing/place';

let place: Place;
let store: Store;
/** Each of three items is corrected by an agent and then shown to the operator. */
beforeEach(async () => {
  place = new Place();
  store = place.open();
  store.addProject('/project', 'sample', 1);
  const harness = new Harness(undefined, store.log);
  const steps = [task('fix'), { ...gate('ok'), title: 'Take it' }];
  const body = { steps, cables: [{ from: 'fix.data_out', to: 'ok.data_in' }] };
  const config = { for_each: { items: ['a', 'b', 'c'] }, body };
  await harness.run({
    name: 'notes',
    steps: [{ id: 'review', title: 'The review', type: 'step.workflow', config }],
  });
  await expect.poll(() => store.gates({ status: 'open', limit: 10 })).toHaveLength(3);
});
afterEach(() => place.remove());

test('The inbox names the scope in which a decision waits, by its titles', () => {
  const rows = store.gates({ status: 'open', limit: 10 });
  expect(rows.map(({ stepId, title }) => [stepId, title])).toEqual([
    ['review[1]/ok', 'The review 1 › Take it'],
    ['review[2]/ok', 'The review 2 › Take it'],
    ['review[3]/ok', 'The review 3 › Take it'],
  ]);
  expect(rows.map(({ stepTitle }) => stepTitle)).toEqual(rows.map(({ title }) => title));
  expect(rows.map(gateOrigin), 'what the title says is not said twice').toContain('notes · sample');
});

test('The feed names the scope in which a step was done, and is narrowed to it', () => {
  const { rows } = store.feed({ limit: 10, stepId: 'review[3]/fix' });
  expect(rows).toMatchObject([{ stepId: 'review[3]/fix', runName: 'notes' }]);
  expect(rows[0]?.text).toContain('Story: review[3]/fix - The review 3 › fix\n');
  expect(store.feedSources(10).steps).toEqual(['review[1]/fix', 'review[2]/fix', 'review[3]/fix']);
});
