import { Zap } from 'lucide-react';
import { expect, test } from 'vitest';
import { grouped, HERE, type PaletteEntry } from './entries';

const entry = (group: string, title: string, others = ''): PaletteEntry => ({
  key: `${group}/${title}`,
  group,
  icon: Zap,
  title,
  others,
  run: () => undefined,
});

const ENTRIES = [
  entry(HERE, 'Create the sample project'),
  entry(HERE, 'Mark all updates read'),
  entry('Runs', 'Sample run'),
  entry('Settings', 'Terminals', 'Settings'),
];

const titles = (text: string) =>
  grouped(ENTRIES, text).map(({ heading, entries }) => [heading, ...entries.map(({ title }) => title)]);

test('the group with the best entry comes first', () => {
  expect(titles('sample')).toEqual([
    ['Runs', 'Sample run'],
    [HERE, 'Create the sample project'],
  ]);
});

test('every group is shown in its order without a text', () => {
  expect(titles(' ').map(([heading]) => heading)).toEqual([HERE, 'Runs', 'Settings']);
});

test('an entry is found by its other words', () => {
  expect(titles('settings')).toEqual([['Settings', 'Terminals']]);
});
