import { expect, test } from 'vitest';
import { QuestionHarness, repl } from './testing/question';

test('an interrupted block whose sandbox dies with it is lost, and not run a second time', async () => {
  const harness = new QuestionHarness([repl('ask parts one; two', 'print parts'), 'FINAL("the rest")']);
  harness.sandboxes.dying = true;
  harness.completions.answer = () => null;
  await harness.ask();
  await harness.interrupt();
  await harness.rested();
  const { blocks } = harness.state().rlm[1] ?? { blocks: [] };
  expect(blocks.map(({ end }) => end)).toMatchObject([{ kind: 'lost', reason: 'host' }]);
  expect(harness.completions.asked).toHaveLength(2);
  expect(harness.answerText()).toBe('the rest');
});
