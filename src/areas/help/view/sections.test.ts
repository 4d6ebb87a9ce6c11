import { expect, test } from 'vitest';
import { documents } from './documents';
import { helpRows, keyOf, type Section, sectionsOf } from './sections';

const known = ['muster', 'workflows', 'forges'];
const parsed = (text: string) => sectionsOf({ id: 'workflows', title: 'Workflows', text }, known);

test('a document is split at its headings, those in code excepted, and keeps its name as its first title', () => {
  const text = '# Flows\nBegin.\n\n## All keys\n```\n# a comment\n```\n### step.loop\nA body.\n';
  expect(parsed(text)).toEqual([
    { document: 'workflows', anchor: '', level: 1, title: 'Workflows', text: '# Flows\nBegin.' },
    {
      document: 'workflows',
      anchor: 'all-keys',
      level: 2,
      title: 'All keys',
      text: '## All keys\n```\n# a comment\n```',
    },
    {
      document: 'workflows',
      anchor: 'steploop',
      level: 3,
      title: 'step.loop',
      text: '### step.loop\nA body.',
    },
  ]);
});

test('links lead to sections, a file that is no document is named without a link, and pictures are left out with their section', () => {
  const text =
    '# A\n![Shot](a.png)\n[Forges](docs/forges.md#find-the-forge), [here](#all-keys), [DESIGN](DESIGN.md), [web](https://a.b)\n## Looks\n![Shot](b.png)\nThe window.';
  expect(parsed(text).map((one) => one.text)).toEqual([
    '# A\n[Forges](#/help/forges/find-the-forge), [here](#/help/workflows/all-keys), [DESIGN], [web](https://a.b)',
  ]);
});

test('a search finds the sections that have all of its words, titles first, with the text around the first word', () => {
  const text = `# A\n## Budgets\nMoney.\n## Other\n${'word '.repeat(40)}a budget of time`;
  expect(helpRows(parsed(text), 'budg').map(({ section, excerpt }) => [section.title, excerpt])).toEqual([
    ['Budgets', 'Money.'],
    ['Other', expect.stringMatching(/^… word .*a budget of time$/)],
  ]);
  expect(helpRows(parsed(text), 'budget time').map(({ section }) => section.title)).toEqual(['Other']);
  expect(helpRows(parsed(text), 'absent')).toEqual([]);
  expect(helpRows(parsed(text), ' ').length).toBe(3);
});

test('every link between the documents leads to a section', async () => {
  const ids = documents.map(({ id }) => id);
  const all: Section[] = [];
  for (const { id, title, load } of documents)
    all.push(...sectionsOf({ id, title, text: await load() }, ids));
  const keys = new Set(all.map(keyOf));
  expect(keys.size).toBe(all.length);
  const links = all.flatMap(({ text }) =>
    [...text.matchAll(/\]\(#\/help\/([^)]+)\)/g)].map(([, key]) => key),
  );
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((key) => !keys.has(decodeURIComponent(key ?? '')))).toEqual([]);
});
