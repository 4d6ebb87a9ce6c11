import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlan } from './prd';

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
  expect(readPlan('[]')).toMatchObject({ state: 'broken' });
  expect(readPlan('{"userStories": [], "branchName": 3}')).toMatchObject({
    problems: ['prd.json: branchName is not text'],
  });
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
