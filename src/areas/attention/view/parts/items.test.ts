import type { GateRow } from '@areas/gates/contract/procedures';
import { parseRoute } from '@renderer/client/route';
import { expect, test } from 'vitest';
import {
  countOf,
  fitting,
  gateItem,
  hashOfItem,
  type Item,
  itemsBesides,
  keyOfPath,
  projectsOf,
} from './items';

const gate = (gateId: number, more: Partial<GateRow> = {}) =>
  gateItem({
    runId: 1,
    gateId,
    snoozedUntil: null,
    runName: 'Release',
    title: 'Publish?',
    message: '',
    ...more,
  } as GateRow);
const run = { runId: 5, runName: 'Writers', projectName: 'novel' };
const items: Item[] = [
  gate(1, { projectName: 'site' }),
  gate(2, { snoozedUntil: 500 }),
  ...itemsBesides({
    replies: [
      { ...run, activationId: 1, member: 'ana / b?', round: 2, since: 1, lastWords: 'The Draft' },
      { ...run, activationId: 2, member: null, round: 0, since: 1, lastWords: null },
    ],
    failures: [{ ...run, at: 30, reason: 'no disk' }],
    pulls: [
      {
        ...{ ...run, key: 'checks a/b 1 unit', kind: 'check_failed', number: 7, url: null },
        ...{ title: 'The till', what: 'Failed: unit', at: 40 },
      },
    ],
    waits: [{ ...run, at: 99, what: 'the limit: ends' }],
  }),
];

test('the address of each item leads back to it', () => {
  for (const { key, kind } of items) {
    const { path } = parseRoute(hashOfItem(key));
    expect(kind === 'gate' ? path.join('/') : keyOfPath(path)).toBe(kind === 'gate' ? `gate/${key}` : key);
  }
  for (const path of [['inbox'], ['inbox', 'closed'], ['gate', '1', '2'], ['inbox', 'reply']])
    expect(keyOfPath(path)).toBeNull();
});

test('snoozed items, and those that go on by themselves, are not counted', () => {
  expect(countOf(items, 100)).toBe(5);
  expect(countOf(items, 500)).toBe(6);
});

test('a search finds every word in any of the texts, and a project leaves out the others', () => {
  const found = (search: string, project: string | null = null) =>
    fitting(items, { search, project }).map(({ kind }) => kind);
  expect(found('draft ANA')).toEqual(['reply']);
  expect(found('publish')).toEqual(['gate', 'gate']);
  expect(found('', 'site')).toEqual(['gate']);
  expect(found('#7 unit')).toEqual(['pull']);
  expect(found('disk', 'novel')).toEqual(['failed']);
  expect(found('disk', 'site')).toEqual([]);
  expect(projectsOf(items)).toEqual(['novel', 'site']);
});
