import { expect, test } from 'vitest';
import type { PromptRow } from '../contract/procedures';
import { linesOf, OWN, projectOf, promptRows } from './rows';

const prompt = (id: string, set: string): PromptRow => ({
  id: `${set}/${id}`,
  set: { id: set, title: set.toUpperCase() },
  title: id,
  purpose: `For ${id}.`,
  source: 'builtin',
  file: `${set}/${id}.md`,
  absolutePath: '/x',
  overrideFile: null,
  problems: [],
});
const prompts = [prompt('lead', 'team'), prompt('start', 'rlm'), prompt('final', 'team')];

test('each set is listed once, with its prompts in their order, and a search leaves out empty sets', () => {
  const keys = (search: string) => promptRows(prompts, search).map(({ key }) => key);
  expect(keys('')).toEqual(['set/team', 'team/lead', 'team/final', 'set/rlm', 'rlm/start']);
  expect(keys(' FINAL ')).toEqual(['set/team', 'team/final']);
  expect(keys('nothing')).toEqual([]);
});

test('lines hold the pieces of the text, and empty lines are there', () => {
  const pieces = [
    { kind: 'text', raw: 'a\n\nb ' },
    { kind: 'placeholder', raw: '{c}' },
    { kind: 'text', raw: ' d\n' },
  ] as const;
  const lines = linesOf(pieces);
  expect(lines.map((line) => line.map(({ raw }) => raw))).toEqual([['a'], [], ['b ', '{c}', ' d'], []]);
  expect(lines[2]?.map(({ kind }) => kind)).toEqual(['text', 'placeholder', 'text']);
});

test('the project of an address is the first one by default, and none that is gone', () => {
  const projects = [7, 9].map((id) => ({ id, path: '', name: '', addedAt: 0, trouble: null }));
  expect(projectOf(undefined, projects)).toBe(7);
  expect(projectOf('9', projects)).toBe(9);
  expect(projectOf(OWN, projects)).toBeNull();
  expect(projectOf(undefined, [])).toBeNull();
  expect(projectOf('8', projects)).toBeUndefined();
});
