import { procedures } from '@contract/ipc';
import { expect, test } from 'vitest';
import { blankLoop, missing, previewOf, readDraft, startOf } from './form';

const blank = blankLoop('codex');

test('the blank form can be started with a worker', () => {
  expect(missing(blank)).toBeNull();
  const start = procedures['loop.start'].input.parse(startOf(1, blank));
  expect(start).toMatchObject({ folder: '.', branch: null, worker: 'codex', iterations: 10, minutes: null });
  expect(procedures['loop.preview'].input.parse(previewOf(1, blank))).toMatchObject({ ownPrompt: false });
});

test.each([
  [{ worker: '' }, 'worker'],
  [{ folder: '  ' }, 'folder'],
  [{ iterations: '0' }, 'Iterations'],
  [{ iterations: '1.5' }, 'Iterations'],
  [{ minutes: 'many' }, 'Minutes'],
  [{ attemptMinutes: '-1' }, 'Minutes'],
  [{ stallAfter: '1' }, 'progress'],
  [{ tokens: '1.5' }, 'The token budget'],
  [{ dollars: 'few' }, 'The cost budget'],
])('the form names the missing value with %j', (change, word) => {
  expect(missing({ ...blank, ...change })).toContain(word);
});

test('the form has a budget where one is entered', () => {
  const budget = (change: object) =>
    procedures['loop.start'].input.parse(startOf(1, { ...blank, ...change })).budget;
  expect(budget({})).toBeNull();
  expect(budget({ tokens: '5000' })).toEqual({ tokens: 5000 });
  expect(budget({ tokens: '5000', dollars: ' 2.5' })).toEqual({ tokens: 5000, cost_usd: 2.5 });
});

test('a kept draft is read, and nothing else that is in its place', () => {
  const kept = { ...blank, folder: 'scripts/ralph', workspace: 'project' as const };
  expect(readDraft(JSON.stringify(kept), blank)).toEqual(kept);
  expect(readDraft('{"folder":3,"other":"x","workspace":"moon"}', blank)).toEqual(blank);
  expect(readDraft('', blank)).toEqual(blank);
  expect(readDraft('[', blank)).toEqual(blank);
});

test('a draft that was begun before the agents were known takes the usual worker', () => {
  const begun = JSON.stringify({ ...blankLoop(''), iterations: '5' });
  expect(readDraft(begun, blankLoop('codex'))).toEqual({ ...blankLoop('codex'), iterations: '5' });
});

test('another agent and another model for the second try are sent where they are chosen', () => {
  const start = (change: object) => procedures['loop.start'].input.parse(startOf(1, { ...blank, ...change }));
  expect(start({})).toMatchObject({ retryProfile: null, retryModel: null });
  expect(start({ retryWorker: 'claude', retryModel: ' opus ' })).toMatchObject({
    worker: 'codex',
    model: null,
    retryProfile: 'claude',
    retryModel: 'opus',
  });
});

const STRANGE = [
  ...['0', '1', '-1', '0.5', '33.333', '1e-9', '1e17', '1e300', '1e999', '-1e300', 'NaN', 'Infinity', '0x10'],
  ...['', ' ', 'constructor', '__proto__', 'toString', 'x'.repeat(5_000), '525600', '525601'],
];

test('any values that the form lets through are accepted by the procedure', () => {
  const fields = Object.keys(blank).filter((field) => field !== 'workspace');
  const wrong = fields.flatMap((field) =>
    STRANGE.flatMap((value) => {
      const draft = readDraft(JSON.stringify({ ...blank, [field]: value }), blank);
      if (missing(draft) !== null) return [];
      const taken = procedures['loop.start'].input.safeParse(startOf(1, draft));
      return taken.success ? [] : [`${field} = ${value.slice(0, 20)}: ${taken.error.message}`];
    }),
  );
  expect(wrong).toEqual([]);
});
