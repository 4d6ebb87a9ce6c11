import { describe, expect, test } from 'vitest';
import { BACKGROUND } from '../contract/background';
import { questionRows } from '../contract/summary';
import { QuestionHarness, repl } from './testing/question';

const NO_USAGE = { input_tokens: null, output_tokens: null, total_tokens: null, cost_usd: null };
const BATCH = repl('set seed 42', 'ask parts one; two; three', 'print parts');

describe('a full disk', () => {
  test('a full disk fails the step before any model is asked, and resuming reads the documents again', async () => {
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

  test('a full disk holds a sub-call back until its text can be written, and then the block goes on', async () => {
    const harness = new QuestionHarness([BATCH, 'FINAL_VAR(parts)']);
    harness.agents.answer = later(harness, () => {
      harness.texts.full = true;
    });
    await harness.ask();
    await harness.rested();
    expect(harness.completions.asked).toEqual([]);
    const held = () => questionRows(harness.state(), { runId: 1, projectName: 'p' })[0]?.phase;
    expect([held(), harness.state().rlm[1]?.held?.code]).toEqual(['held', 'store.disk_full']);
    harness.texts.full = false;
    await harness.rested();
    const told = harness.events().filter(({ type }) => type.startsWith('rlm.writing'));
    expect(told.map(({ type }) => type)).toEqual(['rlm.writing-held', 'rlm.writing-held']);
    expect(harness.answerText()).toBe('answer to one, answer to two, answer to three');
  });

  test('a full disk does not hold up a cancel', async () => {
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

describe('sub-models that do not answer', () => {
  test('a refused sub-call is an error in its slot, and the question goes on', async () => {
    const harness = new QuestionHarness([BATCH, 'FINAL_VAR(parts)']);
    harness.completions.answer = (prompt) =>
      prompt.includes('two') ? { ok: false, text: 'HTTP 429: too many requests' } : { text: prompt };
    await harness.ask();
    await harness.rested();
    expect(harness.answerText()).toBe('one, Error: HTTP 429: too many requests, three');
    expect(Object.values(harness.state().activations)[0]?.receipt).toMatchObject({
      sub_calls: 3,
      failed_sub_calls: 1,
    });
  });

  test('an interrupt ends the block that waits for a sub-model and keeps the variables', async () => {
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

  test('a cancel ends a run with an open sub-call at once, and nothing of it is asked again', async () => {
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

  test('a batch over the limit of the question is refused in words, and not sent', async () => {
    const harness = new QuestionHarness([BATCH, 'FINAL_VAR(parts)']);
    await harness.ask({ limits: { subcalls: 2 } });
    await harness.rested();
    expect(harness.completions.asked).toEqual([]);
    expect(harness.answerText()).toContain('This question may ask 2 sub-calls');
  });
});

describe('the verification of the answer by a second model', () => {
  const verify_model = { acp_profile_id: 'sub' };
  const claims = [
    { claim: 'It is red.', verdict: 'supported', reason: 'Doc 0' },
    { claim: 'It is new.', verdict: 'contradicted', reason: 'Doc 0 says old' },
  ];
  const asked = async (text: string | null, reply = 'FINAL("It is red, see Doc 0")') => {
    const harness = new QuestionHarness([reply]);
    harness.completions.answer = () =>
      text === null ? null : { text, model: 'checker', usage: { ...NO_USAGE, total_tokens: 7 } };
    await harness.ask({ verify_model });
    await harness.rested();
    return harness;
  };
  const ended = (harness: QuestionHarness) => Object.values(harness.state().activations)[0];

  test('the verification is shown beside the answer and on the receipt, with its usage counted', async () => {
    const harness = await asked(`Here: ${JSON.stringify({ claims })}`);
    expect(harness.answerText()).toBe('It is red, see Doc 0');
    expect(ended(harness)).toMatchObject({
      receipt: { verification: { verified: true, trouble: null, model: 'checker', claims } },
      warnings: ['One claim of the answer did not stand up to checker.'],
    });
    expect(harness.state().spend.tokens).toBe(7);
    const [prompt] = harness.completions.asked;
    expect(prompt).toContain('It is red, see Doc 0');
    expect(prompt).toContain('Document 0, a.txt:\ntext of a.txt');
  });

  test.each([
    ['a reply that is not the list', 'I agree.', 'The answer was not verified: the reply of the model'],
    ['a verdict that is not known', '{"claims": [{"claim": "x", "verdict": "true"}]}', 'was not verified'],
  ])('a verification with %s does not hold up the answer', async (_, text, warning) => {
    const harness = await asked(text);
    expect(harness.answerText()).toBe('It is red, see Doc 0');
    expect(ended(harness)?.warnings.join()).toContain(warning);
  });

  test('a verifying model that refuses or does not answer does not hold up the answer', async () => {
    const refused = new QuestionHarness(['FINAL("see Doc 0")']);
    refused.completions.answer = () => ({ ok: false, text: 'HTTP 401.' });
    await refused.ask({ verify_model });
    await refused.rested();
    expect(ended(refused)?.warnings).toEqual(['The answer was not verified: HTTP 401.']);
    const silent = await asked(null);
    expect(silent.answerText()).toBeUndefined();
    silent.clock.advance(5 * 60_000);
    await silent.rested();
    expect(silent.answerText()).toBe('It is red, see Doc 0');
    expect(ended(silent)?.warnings.join()).toContain('did not answer within 5 minutes');
  });

  test('an answer that cites nothing is not verified, and says so', async () => {
    const harness = await asked('{"claims": []}', 'FINAL("red")');
    expect(harness.completions.asked).toEqual([]);
    expect(ended(harness)?.warnings.join()).toContain('cites no document');
  });

  test('claims about code are verified a second time, which counts where it works', async () => {
    const second = [{ ...claims[0], flags: ['test_code', 'unheard_of'] }];
    const harness = new QuestionHarness(['FINAL("It is red, see Doc 0")']);
    const answers = [{ claims }, { claims: second }];
    harness.completions.answer = () => ({ text: JSON.stringify(answers.shift()), model: 'checker' });
    await harness.ask({ verify_model, documents: ['a.py'] });
    await harness.rested();
    const [, prompt] = harness.completions.asked;
    expect(prompt).toContain('"claim": "It is new."');
    expect(ended(harness)).toMatchObject({
      receipt: {
        verification: { code: { verified: true }, claims: [{ ...claims[0], flags: ['test_code'] }] },
      },
      warnings: [],
    });
    for (const fails of ['no list', null]) {
      const broken = new QuestionHarness(['FINAL("It is red, see Doc 0")']);
      const replies = [
        { text: JSON.stringify({ claims }), model: 'checker' },
        fails === null ? null : { text: fails },
      ];
      broken.completions.answer = () => replies.shift() ?? null;
      await broken.ask({ verify_model, documents: ['a.py'] });
      await broken.rested();
      broken.clock.advance(5 * 60_000);
      await broken.rested();
      expect(ended(broken)).toMatchObject({
        receipt: { verification: { verified: true, code: { verified: false }, claims } },
        warnings: ['One claim of the answer did not stand up to checker.'],
      });
    }
  });

  test("a model's own knowledge is neither checked nor verified", async () => {
    const reply = `PARTIAL(See Doc 0.\n${BACKGROUND.begin}\nDoc 7 says "this is well known".\n${BACKGROUND.end})`;
    const harness = await asked(JSON.stringify({ claims }), reply);
    expect(harness.completions.asked[0]).not.toContain('well known');
    expect(ended(harness)?.receipt).toMatchObject({ citations: { documents: [{ index: 0 }], quotes: [] } });
  });

  test('a cancel ends the verification, and a kill in the middle of it asks again and then answers', async () => {
    const cancelled = await asked(null);
    await cancelled.cancel();
    expect(cancelled.state().outcome).toBe('cancelled');
    const harness = await asked(null);
    harness.completions.answer = () => ({ text: JSON.stringify({ claims }) });
    await harness.killed();
    await harness.rested();
    expect(harness.answerText()).toBe('It is red, see Doc 0');
    expect(ended(harness)?.receipt).toMatchObject({ verification: { verified: true } });
  });
});

describe('a cancel', () => {
  const never = new Promise<never>(() => undefined);
  const phases: Record<string, (harness: QuestionHarness) => void> = {
    'while documents are read': ({ texts }) => {
      texts.freeze = () => never;
    },
    'while the sandbox starts': ({ questions }) => {
      questions.sandboxes.start = () => never;
    },
    'while a block computes': () => undefined,
    'while sub-calls are under way': ({ completions }) => {
      completions.answer = () => null;
    },
    'while citations are looked up': ({ texts }) => {
      texts.find = () => never;
    },
    'while the answer is verified': ({ completions }) => {
      completions.answer = () => null;
    },
  };
  const replyIn: Record<string, string> = {
    'while a block computes': repl('hang'),
    'while sub-calls are under way': BATCH,
  };

  test.each(Object.keys(phases))(
    'a cancel %s ends the run, and nothing of it begins again after a restart',
    async (phase) => {
      const harness = new QuestionHarness([replyIn[phase] ?? 'FINAL(Doc 0 says "text of a.txt")']);
      phases[phase]?.(harness);
      await harness.ask({ verify_model: { acp_profile_id: 'sub' } });
      await harness.rested();
      expect(harness.state().outcome).toBeNull();
      await harness.cancel();
      await harness.rested();
      expect(harness.state().outcome).toBe('cancelled');
      const [turns, calls] = [harness.agents.sent.length, harness.completions.asked.length];
      await harness.killed();
      await harness.rested();
      expect([harness.agents.sent.length, harness.completions.asked.length]).toEqual([turns, calls]);
    },
  );
});

describe('budgets that are reached', () => {
  test('a reached budget holds the block at the gate before the next sub-call, and raising it lets the block go on', async () => {
    const harness = new QuestionHarness([repl('ask a one', 'ask b two', 'print b'), 'FINAL_VAR(b)']);
    const tokens = (prompt: string) => (prompt === 'one' ? 60 : 10);
    harness.completions.answer = (prompt) => ({
      text: prompt,
      usage: { ...NO_USAGE, total_tokens: tokens(prompt) },
    });
    await harness.ask({}, { tokens: 50 });
    await harness.rested();
    expect(harness.completions.asked).toEqual(['one']);
    const [gate] = Object.values(harness.state().gates);
    expect(gate).toMatchObject({ status: 'open' });
    expect(harness.answerText()).toBeUndefined();
    await harness.killed();
    await harness.rested();
    expect(harness.completions.asked).toEqual(['one']);
    await harness.answer('raise');
    await harness.rested();
    expect(harness.answerText()).toBe('two');
    expect(harness.completions.asked).toEqual(['one', 'two']);
  });
});

describe('background knowledge', () => {
  test('background knowledge takes another system text, and without that text the question fails before anything is paid', async () => {
    const harness = new QuestionHarness(['FINAL("done")']);
    await harness.ask({ background_knowledge: true });
    expect(systemOf(harness)).toContain('rlm/system_augmented');
    const strict = new QuestionHarness(['FINAL("done")']);
    await strict.ask();
    expect(systemOf(strict)).not.toContain('augmented');
    const missing = new QuestionHarness(['FINAL("done")']);
    missing.missing.add('rlm/system_augmented');
    await missing.ask({ background_knowledge: true });
    expect(Object.values(missing.state().activations)[0]?.error?.code).toBe('validation.prompt_file');
    expect(missing.agents.sent).toEqual([]);
  });

  test('an optional text that is missing fails only where it is needed', async () => {
    const harness = new QuestionHarness(['FINAL("It is red, see Doc 0")']);
    harness.missing.add('rlm/system_augmented').add('rlm/verify_adversarial');
    await harness.ask({ verify_model: { acp_profile_id: 'sub' } });
    await harness.rested();
    expect(harness.answerText()).toBe('It is red, see Doc 0');
    const [ended] = Object.values(harness.state().activations);
    expect(ended?.warnings.join()).toContain('the text rlm/verify_adversarial is missing');
  });
});

const systemOf = (harness: QuestionHarness): string | undefined =>
  harness
    .events()
    .flatMap((event) => (event.type === 'session.starting' ? (event.opening?.system ?? []) : []))[0];

describe('a kill at any moment', () => {
  const replies = [
    `${BATCH}\n${repl('raise NameError: x')}`,
    repl('ask more four', 'print seed'),
    'FINAL(more)',
  ];

  test('a question killed at any moment gets the same answer, and no answered sub-call is asked again', async () => {
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
        commit,
        paidTwice: [],
      });
      expect(harness.log.refused).toEqual([]);
    }
  });

  test('a block that draws random numbers without printing them has the same variables when it runs again', async () => {
    const harness = new QuestionHarness([repl('draw seed'), repl('hang'), 'FINAL_VAR(seed)']);
    await harness.ask();
    const { fixed } = harness.state().rlm[1] ?? {};
    expect(fixed).toMatchObject({ seed: 'ab'.repeat(16), now: expect.any(Number) });
    await harness.killed();
    await harness.interrupt();
    expect(harness.events().map(({ type }) => type)).not.toContain('rlm.variables-lost');
    expect(harness.answerText()).toBe(JSON.stringify(fixed));
  });

  test('variables that have other values are given up, also where the block printed nothing of them', async () => {
    const harness = new QuestionHarness([repl('process id'), repl('hang'), 'FINAL("done")']);
    await harness.ask();
    await harness.killed();
    await harness.interrupt();
    expect(harness.events().map(({ type }) => type)).toContain('rlm.variables-lost');
    expect(harness.agents.sent.at(-1)?.request.prompt).toContain('All variables that you made are gone');
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

/** The scripted answers, with an action before the first one. */
function later(harness: QuestionHarness, before: () => void): QuestionHarness['agents']['answer'] {
  const { answer } = harness.agents;
  return (turn) => {
    before();
    return answer(turn);
  };
}
