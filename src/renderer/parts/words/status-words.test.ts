import { expect, test } from 'vitest';
import {
  answerWord,
  commandWords,
  deliveryWords,
  endWord,
  nowWords,
  observedWords,
  runWords,
  sessionWords,
  stepWords,
  toolWord,
  turnWords,
} from './status-words';

test("a run's activity leaves out the name of the run", () => {
  const name = 'Loop: ralph/x';
  expect(nowWords({ name, now: `Waits for you: ${name}: blocked at US-001` })).toBe(
    'Waits for you: blocked at US-001',
  );
  expect(nowWords({ name, now: 'Build: Prompt' })).toBe('Build: Prompt');
  expect(nowWords({ name, now: null })).toBe('');
});

test('amber is kept for what needs the operator, and anything that waits by itself, stalled or was cut off is grey', () => {
  const tables = [runWords, stepWords, turnWords, commandWords, sessionWords, deliveryWords, observedWords];
  const amber = tables.flatMap((table) => Object.values(table).filter(({ tone }) => tone === 'waits'));
  expect([...new Set(amber.map(({ word }) => word))]).toEqual(['Waits for you', 'Not logged in']);
});

test('an answer that rejects is failed, and one that puts off without ending anything is grey', () => {
  const reject = { id: 'no', label: 'No', effect: '', tone: 'reject' as const };
  expect(answerWord([reject], { option: 'no' }).tone).toBe('failed');
  expect(answerWord([{ ...reject, mild: true }], { option: 'no' }).tone).toBe('grey');
});

test('a tool call no longer runs once its turn was cut off', () => {
  expect(toolWord('in_progress', true).word).toBe('Running');
  expect(toolWord('in_progress', false).word).toBe('Cut off');
  expect(toolWord('completed', false).word).toBe('Done');
});

test('a step of which some items failed does not look as if all had succeeded', () => {
  const scopes = { opened: 3, open: 0, failed: 1 };
  expect(endWord({ outcome: 'succeeded', scopes })).toMatchObject({ tone: 'failed', word: '1 of 3 failed' });
  expect(endWord({ outcome: 'succeeded', scopes: { ...scopes, failed: 0 } }).word).toBe('Succeeded');
  expect(endWord({ outcome: 'failed', scopes }).word).toBe('Failed');
});
