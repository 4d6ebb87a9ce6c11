import { expect, test } from 'vitest';
import { questionRow, questionRows } from '../contract/summary';
import { QuestionHarness, repl } from '../core/testing/question';
import { endOfIteration, pageRows } from './rows';

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

test('an answer that a repeated block takes over from a lost one is counted and paid once', async () => {
  const usage = { input_tokens: 20, output_tokens: 5, total_tokens: 25, cost_usd: 0.5 };
  const batch = repl('ask parts one; two');
  const harness = new QuestionHarness([batch, batch, 'FINAL_VAR(parts)']);
  let second = 0;
  harness.completions.answer = (prompt) => {
    if (prompt === 'two') second += 1;
    return prompt === 'two' && second === 1 ? null : { text: prompt, usage };
  };
  harness.sandboxes.dying = true;
  await harness.ask();
  harness.sandboxes.dying = false;
  await harness.interrupt();
  await harness.rested();
  expect(harness.answerText()).toBe('one, two');
  expect(rowOf(harness)).toMatchObject({ phase: 'answered', subCalls: 3, tokens: 50, costUsd: 1 });
});

test('the time of an iteration includes its code and the sub-calls that it waits for', async () => {
  const harness = new QuestionHarness([repl('ask parts one'), 'FINAL_VAR(parts)']);
  harness.completions.complete = () =>
    new Promise((resolve) =>
      harness.clock.at(harness.clock.now() + 90_000, () =>
        resolve({ ok: true, text: 'x', model: 'm', usage: null }),
      ),
    );
  await harness.ask();
  await harness.idle();
  const iteration = () => {
    const [activation] = Object.values(harness.state().activations);
    if (activation === undefined) throw new Error('no activation');
    const row = pageRows(harness.state(), activation, 20).find(({ kind }) => kind === 'iteration');
    if (row?.kind !== 'iteration') throw new Error('no iteration');
    return row;
  };
  expect(endOfIteration(iteration())).toBeNull();
  harness.clock.advance(90_000);
  await harness.rested();
  const row = iteration();
  expect((endOfIteration(row) ?? 0) - row.turn.startedAt).toBeGreaterThanOrEqual(90_000);
  expect((row.turn.finishedAt ?? 0) - row.turn.startedAt).toBeLessThan(90_000);
});

test('an answer at the limit of iterations is called partial, and more code in its place has failed', async () => {
  const think = repl('print context');
  const after = async (last: string) => {
    const harness = new QuestionHarness([think, think, last]);
    await harness.ask({ limits: { iterations: 2 } });
    await harness.rested();
    return rowOf(harness).phase;
  };
  expect(await after('My best guess.')).toBe('partial');
  expect(await after(think)).toBe('failed');
});

test('a resumption helps where something failed on the way, and not where the question itself has to change', async () => {
  const after = async (harness: QuestionHarness, config: Record<string, unknown> = {}) => {
    await harness.ask(config);
    await harness.rested();
    const { resumable, resumeHelps } = rowOf(harness);
    return [resumable, resumeHelps];
  };
  const full = new QuestionHarness([]);
  full.texts.full = true;
  expect(await after(full)).toEqual([true, true]);
  const endless = [repl('print context'), repl('print context')];
  expect(await after(new QuestionHarness(endless), { limits: { iterations: 1 } })).toEqual([true, false]);
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
