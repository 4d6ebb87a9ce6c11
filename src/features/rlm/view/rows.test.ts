import { expect, test } from 'vitest';
import { questionRow, questionRows } from '../contract/summary';
import { QuestionHarness, repl } from '../core/testing/question';
import { pageRows } from './rows';

const facts = { runId: 1, projectName: 'project' };

function rowOf(harness: QuestionHarness) {
  const [row] = questionRows(harness.state(), facts);
  if (row === undefined) throw new Error('there is no question');
  return row;
}

test('a row says what the question does, from its documents to its answer', async () => {
  const harness = new QuestionHarness([repl('ask parts one; two'), repl('hang'), 'FINAL("done")']);
  harness.completions.answer = () => null;
  await harness.ask();
  expect(rowOf(harness)).toMatchObject({
    question: 'Why?',
    phase: 'asking',
    live: true,
    interruptible: true,
    iteration: 1,
    of: 20,
    documents: 1,
    subCalls: 2,
    underWay: 2,
    finishedAt: null,
  });
  await harness.interrupt();
  expect(rowOf(harness)).toMatchObject({ phase: 'computing', iteration: 2, underWay: 0 });
  await harness.interrupt();
  expect(rowOf(harness)).toMatchObject({
    phase: 'answered',
    live: false,
    interruptible: false,
    resumable: false,
    iteration: 3,
  });
});

test('a question without its documents has failed and can be resumed; a cancelled one is stopped', async () => {
  const failed = new QuestionHarness([]);
  failed.texts.full = true;
  await failed.ask();
  expect(rowOf(failed)).toMatchObject({ phase: 'failed', iteration: 0, resumable: true });
  const stopped = new QuestionHarness([repl('hang')]);
  await stopped.ask();
  await stopped.cancel();
  expect(rowOf(stopped)).toMatchObject({ phase: 'stopped', live: false });
});

test('root model and sub-calls count in one sum', async () => {
  const usage = { input_tokens: 20, output_tokens: 5, total_tokens: 25, cost_usd: 0.5 };
  const harness = new QuestionHarness([repl('ask parts one; two'), 'FINAL("done")']);
  const { answer } = harness.agents;
  harness.agents.answer = (turn) => ({ ...answer(turn), usage: { ...usage, total_tokens: 100 } });
  harness.completions.answer = () => ({ text: 'x', usage });
  await harness.ask();
  await harness.rested();
  expect(rowOf(harness)).toMatchObject({ tokens: 250, costUsd: 2 });
});

test('the page has the documents, each iteration with its blocks, and the answer', async () => {
  const harness = new QuestionHarness([`${repl('set a 1')}\n${repl('print a')}`, 'FINAL("done")']);
  await harness.ask();
  const state = harness.state();
  const activation = state.activations[1];
  if (activation === undefined) throw new Error('nothing ran');
  const rows = pageRows(state, activation, questionRow(state, activation, facts).of);
  expect(rows.map(({ key }) => key)).toEqual(['documents', 'iteration/1', 'iteration/2', 'end']);
  expect(rows[1]).toMatchObject({ kind: 'iteration', isLast: false, blocks: [{ block: 0 }, { block: 1 }] });
});
