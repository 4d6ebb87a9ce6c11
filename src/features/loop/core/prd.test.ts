import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assumptionsIn, readPlan } from './prd';

const story = (more: Record<string, unknown> = {}) => ({
  id: 'US-001',
  title: 'One',
  priority: 1,
  passes: false,
  ...more,
});
const read = (...userStories: unknown[]) => readPlan(JSON.stringify({ branchName: 'ralph/x', userStories }));
const problems = (...stories: unknown[]) => {
  const plan = read(...stories);
  return plan.state === 'broken' ? plan.problems : [];
};

test('a plan is read for what the loop needs, and the rest is left alone', () => {
  expect(read(story({ notes: 'x', mine: [1] }))).toEqual({
    state: 'read',
    branchName: 'ralph/x',
    stories: [{ id: 'US-001', title: 'One', priority: 1, passes: false }],
  });
  expect(readPlan(null)).toEqual({ state: 'none' });
  expect(readPlan('\uFEFF{"userStories": []}')).toMatchObject({ state: 'read', branchName: null });
});

test('the error for a plan names every problem, not only the first', () => {
  expect(problems(story(), story(), { title: 3, priority: '1', passes: 'no' }, null)).toEqual([
    'userStories[2].id is missing; it is a text',
    'userStories[2].title is not a text',
    'userStories[2].priority is not a number',
    'userStories[2].passes is not true or false',
    'userStories[3] is not a story',
    'userStories[1].id: another story has the id US-001',
  ]);
  expect(readPlan('{')).toMatchObject({ state: 'broken' });
  expect(readPlan('{"userStories": [], "branchName": 3}')).toMatchObject({
    problems: ['prd.json: branchName is not text'],
  });
});

test('stories without a priority come last, in their order, and that is told', () => {
  const plain = ({ priority: _, ...rest }: ReturnType<typeof story>) => rest;
  const stories = [plain(story({ id: 'A' })), story({ id: 'B', priority: 7 }), plain(story({ id: 'C' }))];
  expect(read(...stories)).toMatchObject({
    stories: [
      { id: 'A', priority: 8 },
      { id: 'B', priority: 7 },
      { id: 'C', priority: 8 },
    ],
  });
  expect(assumptionsIn(JSON.stringify({ userStories: stories }))).toEqual([
    '2 of 3 stories have no priority: they come last, in their order',
  ]);
  expect(assumptionsIn(JSON.stringify({ userStories: [plain(story())] }))).toEqual([
    '1 of 1 story has no priority: it comes last',
  ]);
  expect(assumptionsIn(JSON.stringify({ userStories: [story()] }))).toEqual([]);
});

test('a list of stories is read as a plan without a branch, and that is told', () => {
  const text = JSON.stringify([story()]);
  expect(readPlan(text)).toMatchObject({ state: 'read', branchName: null, stories: [{ id: 'US-001' }] });
  expect(assumptionsIn(text)).toEqual(['it is a list of stories without a branchName']);
});

test('any text and any JSON is read or refused, and never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void readPlan(text)));
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (value, stories) => {
      readPlan(JSON.stringify(value));
      readPlan(JSON.stringify({ userStories: stories }));
    }),
  );
});
