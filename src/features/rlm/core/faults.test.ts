import { describe, expect, test } from 'vitest';
import { QuestionHarness, repl } from './testing/question';

const BATCH = repl('set seed 42', 'ask parts one; two; three', 'print parts');

describe('a full disk', () => {
  test('fails the step before any model is asked, and resuming reads the documents again', async () => {
    const harness = new QuestionHarness(['FINAL("done")']);
    harness.texts.full = true;
    await harness.ask();
    const state = harness.state();
    expect(Object.values(state.activations)[0]?.error).toMatchObject({ code: 'store.disk_full' });
    expect(harness.agents.sent).toEqual([]);
    harness.texts.full = false;
    await harness.resume();
    expect(harness.answerText()).toBe('done');
  });

  test('holds a sub-call back until its text can be written, and then the block goes on', async () => {
    const harness = new QuestionHarness([BATCH, 'FINAL_VAR(parts)']);
    harness.agents.answer = later(harness, () => {
      harness.texts.full = true;
    });
    await harness.ask();
    await harness.rested();
    expect(harness.completions.asked).toEqual([]);
    harness.texts.full = false;
    await harness.rested();
    expect(harness.answerText()).toBe('answer to one, answer to two, answer to three');
  });

  test('does not hold up a cancel', async () => {
    const harness = new QuestionHarness([BATCH]);
    harness.agents.answer = later(harness, () => {
      harness.texts.full = true;
    });
    await harness.ask();
    await harness.rested();
    await harness.cancel();
    expect(harness.state().outcome).toBe('cancelled');
  });
});

describe('a sub-model that does not answer', () => {
  test('a refused sub-call is an error in its slot, and the question goes on', async () => {
    const harness = new QuestionHarness([BATCH, 'FINAL_VAR(parts)']);
    harness.completions.answer = (prompt) =>
      prompt.includes('two') ? { ok: false, text: 'HTTP 429: too many requests' } : { text: prompt };
    await harness.ask();
    await harness.rested();
    expect(harness.answerText()).toBe('one, Error: HTTP 429: too many requests, three');
    expect(Object.values(harness.state().activations)[0]?.receipt).toMatchObject({
      ...{ sub_calls: 3, failed_sub_calls: 1 },
    });
  });

  test('an interrupt ends the block that waits for it and keeps the variables', async () => {
    const harness = new QuestionHarness([`${BATCH}\n${repl('print seed')}`, 'FINAL_VAR(seed)']);
    harness.completions.answer = () => null;
    await harness.ask();
    await harness.interrupt();
    await harness.rested();
    expect(harness.answerText()).toBe('42');
    const { blocks } = harness.state().rlm[1] ?? { blocks: [] };
    expect(blocks.map(({ end }) => end?.kind === 'finished' && end.result.interrupted)).toEqual([
      true,
      false,
    ]);
  });

  test('a cancel ends the run at once, and nothing of it is asked again', async () => {
    const harness = new QuestionHarness([BATCH]);
    harness.completions.answer = () => null;
    await harness.ask();
    await harness.cancel();
    expect(harness.state().outcome).toBe('cancelled');
    expect(harness.completions.asked).toHaveLength(3);
    await harness.killed();
    expect(harness.completions.asked).toHaveLength(3);
  });

  test('no more sub-calls than allowed are under way, and the rest follow', async () => {
    const harness = new QuestionHarness([BATCH, 'FINAL_VAR(parts)']);
    harness.completions.answer = () => null;
    await harness.ask({ limits: { concurrent_subcalls: 2 } });
    expect(harness.completions.asked).toHaveLength(2);
  });

  test('a batch over the limit of the question is refused in words, and asks no one', async () => {
    const harness = new QuestionHarness([BATCH, 'FINAL_VAR(parts)']);
    await harness.ask({ limits: { subcalls: 2 } });
    await harness.rested();
    expect(harness.completions.asked).toEqual([]);
    expect(harness.answerText()).toContain('This question may ask 2 sub-calls');
  });
});

describe('a kill at any moment', () => {
  const replies = [
    `${BATCH}\n${repl('raise NameError: x')}`,
    repl('ask more four', 'print seed'),
    'FINAL(more)',
  ];

  test('leads to the same answer, and no answered sub-call is asked again', async () => {
    const cites = (prompt: string) => ({ text: `answer to ${prompt} in Doc 0` });
    const whole = new QuestionHarness(replies);
    whole.completions.answer = cites;
    await whole.ask();
    await whole.rested();
    const answer = 'answer to four in Doc 0';
    expect(whole.answerText()).toBe(answer);
    expect(whole.completions.asked).toHaveLength(4);
    for (let commit = 2; commit < whole.log.commits; commit += 1) {
      const harness = new QuestionHarness(replies);
      harness.completions.answer = cites;
      harness.cut.cutAfter = commit;
      await harness.ask();
      const answered = answeredIn(harness);
      const before = harness.completions.asked.length;
      await harness.killed();
      await harness.rested();
      expect({ commit, answer: harness.answerText() }).toEqual({ commit, answer });
      const again = harness.completions.asked.slice(before).map(harness.texts.hash);
      expect({ commit, paidTwice: again.filter((prompt) => answered.has(prompt)) }).toEqual({
        ...{ commit, paidTwice: [] },
      });
      expect(harness.log.refused).toEqual([]);
    }
  });

  test('variables that cannot be built again are given up, and the model is told', async () => {
    const harness = new QuestionHarness([repl('set seed 1'), repl('hang'), 'FINAL("done")']);
    await harness.ask();
    await harness.interrupt();
    expect(harness.answerText()).toBe('done');
    const later = new QuestionHarness([repl('hang'), repl('hang'), 'FINAL("done")']);
    await later.ask();
    await later.interrupt();
    await later.killed();
    await later.interrupt();
    const prompts = later.agents.sent.map(({ request }) => request.prompt);
    expect(prompts.at(-1)).toContain('All variables that you made are gone');
    expect(later.answerText()).toBe('done');
  });
});

/** The hashes of the prompts whose answers are in the log. */
const answeredIn = (harness: QuestionHarness): ReadonlySet<string> =>
  new Set(harness.events().flatMap((event) => (event.type === 'rlm.call-answered' ? [event.prompt] : [])));

/** The scripted answers, with something that happens before the first of them. */
function later(harness: QuestionHarness, before: () => void): QuestionHarness['agents']['answer'] {
  const { answer } = harness.agents;
  return (turn) => {
    before();
    return answer(turn);
  };
}
