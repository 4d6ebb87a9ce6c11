import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foundPages, SETTINGS_LABELS } from './pages';

const keys = ['Approve', 'Go to Runs'];
const found = (text: string) => foundPages(text, keys).map(({ page, labels }) => [page, ...labels]);

test('the settings are found by a word of a setting, of a section, or of an action with a key', () => {
  expect(found('undo')).toEqual([['work', 'Time to undo']]);
  expect(found('TERMINAL')).toEqual([
    ['terminals', 'Output limit per terminal (MB)', 'Output limit of all terminals (MB)'],
  ]);
  expect(found('approve')).toEqual([['keys', 'Approve']]);
  expect(found('limit screen')).toEqual([['terminals', ...SETTINGS_LABELS.terminals]]);
  expect(found('zzzz')).toEqual([]);
});

test('without a search every section is listed, and none of its settings', () => {
  expect(found(' ').flat()).toEqual(Object.keys(SETTINGS_LABELS));
});

test('each label by which a setting is found stands on a page', () => {
  const areas = join(import.meta.dirname, '../..');
  const pages = readdirSync(areas, { encoding: 'utf8', recursive: true }).filter((name) =>
    /^((settings|permissions|deliveries|projects|backups|diagnostics|hosts).view.(?!index).*\.tsx|doctor.(contract|node.checks).(?!.*test).*\.ts)$/.test(
      name,
    ),
  );
  const text = pages.map((name) => readFileSync(join(areas, name), 'utf8')).join('\n');
  expect(
    Object.values(SETTINGS_LABELS)
      .flat()
      .filter((label) => !text.includes(label)),
  ).toEqual([]);
});
