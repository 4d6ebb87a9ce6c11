import { expect, test } from 'vitest';
import { questionInputsOf } from '../contract/question-inputs';
import { questionRows } from '../contract/summary';
import { QuestionHarness } from './testing/question';

const facts = { runId: 1, projectName: 'p' } as const;

test('Questions in the items of a list have the question and the documents of their item', async () => {
  const harness = new QuestionHarness(['FINAL("because")']);
  await harness.inBody({ question: 'Why $ITEM?', documents: ['$ITEM.txt'] }, (step) => ({
    id: 'each',
    type: 'step.workflow',
    config: { for_each: { items: ['a', 'b'] }, body: { steps: [step] } },
  }));
  const state = harness.state();
  expect(state).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  const rows = questionRows(state, facts);
  expect(rows.map(({ question, phase }) => [question, phase])).toEqual([
    ['Why a?', 'answered'],
    ['Why b?', 'answered'],
  ]);
  expect(rows.map(({ activationId }) => questionInputsOf(state, activationId))).toMatchObject([
    { question: 'Why a?', documents: ['a.txt'] },
    { question: 'Why b?', documents: ['b.txt'] },
  ]);
  const asked = harness.events().filter((event) => event.type === 'rlm.documents-requested');
  expect(asked.map(({ paths }) => paths)).toEqual([['a.txt'], ['b.txt']]);
});

test('A question in a pass of a loop goes on after the core was killed', async () => {
  const harness = new QuestionHarness(['FINAL("DONE")']);
  harness.cut.cutAfter = 8;
  const config = { until: 'DONE', max_iterations: 2 };
  await harness.inBody({}, (step) => ({
    id: 'again',
    type: 'step.loop',
    config: { ...config, body: { steps: [step] } },
  }));
  await harness.killed();
  await harness.rested();
  expect(harness.state().outcome).toBe('succeeded');
  expect(questionRows(harness.state(), facts)).toMatchObject([{ phase: 'answered' }]);
});
