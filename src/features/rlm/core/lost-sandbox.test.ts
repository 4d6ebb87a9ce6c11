import { fail, ok } from '@contract/result';
import { describe, expect, test } from 'vitest';
import { QuestionHarness, repl } from './testing/question';

const blocksOf = (harness: QuestionHarness) => harness.state().rlm[1]?.blocks ?? [];
const endsOf = (harness: QuestionHarness) =>
  blocksOf(harness).map(({ end }) => (end?.kind === 'lost' ? end.reason : end?.kind));
const typesOf = (harness: QuestionHarness) => harness.events().map(({ type }) => type);
const lastPrompt = (harness: QuestionHarness) => harness.agents.sent.at(-1)?.request.prompt ?? '';
const ended = (harness: QuestionHarness) => Object.values(harness.state().activations)[0];

/** The host of the newest sandbox ends by itself. */
const hostDies = async (harness: QuestionHarness): Promise<void> => {
  harness.sandboxes.started.at(-1)?.end('host');
  await harness.rested();
};

/** A sub-model whose answers come when the test releases them. */
function holding(harness: QuestionHarness) {
  const open = new Map<string, (text: string) => void>();
  harness.completions.complete = ({ prompt, cancel }) => {
    harness.completions.asked.push(prompt);
    return new Promise((resolve) => {
      const whole = { model: 'sub', usage: null };
      open.set(prompt, (text) => resolve({ ...whole, ok: true, text }));
      cancel.onCancel(() => resolve({ ...whole, ok: false, text: 'The sub-call was interrupted.' }));
    });
  };
  return async (prompt: string): Promise<void> => {
    open.get(prompt)?.(`answer to ${prompt}`);
    await harness.rested();
  };
}

test('an interrupted block whose sandbox dies with it is lost, and not run a second time', async () => {
  const harness = new QuestionHarness([repl('ask parts one; two', 'print parts'), 'FINAL("the rest")']);
  harness.sandboxes.dying = true;
  harness.completions.answer = () => null;
  await harness.ask();
  await harness.interrupt();
  await harness.rested();
  expect(endsOf(harness)).toEqual(['host']);
  expect(harness.completions.asked).toHaveLength(2);
  // That of the block, and the one that replaces it.
  expect(harness.sandboxes.started).toHaveLength(2);
  expect(harness.answerText()).toBe('the rest');
});

describe('a host that dies in the middle of a batch', () => {
  const replies = [repl('set seed 7'), repl('ask parts one; two; three', 'print seed'), 'FINAL_VAR(parts)'];

  test('a block whose host dies in mid-batch runs again with the variables before it, and each sub-call is asked once', async () => {
    const harness = new QuestionHarness(replies);
    const release = holding(harness);
    await harness.ask();
    await release('one');
    await hostDies(harness);
    expect(harness.sandboxes.started).toHaveLength(2);
    await release('three');
    await release('two');
    expect(harness.answerText()).toBe('answer to one, answer to two, answer to three');
    expect(harness.completions.asked).toEqual(['one', 'two', 'three']);
    const [, block] = blocksOf(harness);
    expect(block?.end?.kind === 'finished' && block.end.result.stdout).toBe('7\n');
    expect(typesOf(harness)).not.toContain('rlm.variables-lost');
    expect(typesOf(harness)).not.toContain('rlm.block-lost');
  });

  test('a block that is lost at the second death of its host leaves its answers to the next one, and the variables are built again', async () => {
    const again = repl('ask parts one; two; three', 'print seed');
    const harness = new QuestionHarness([...replies.slice(0, 2), again, 'FINAL_VAR(parts)']);
    const release = holding(harness);
    await harness.ask();
    await release('one');
    await release('three');
    await hostDies(harness);
    await hostDies(harness);
    await release('two');
    expect(endsOf(harness)).toEqual(['finished', 'host', 'finished']);
    expect(harness.completions.asked).toEqual(['one', 'two', 'three', 'two']);
    expect(ended(harness)?.receipt).toMatchObject({ sub_calls: 4, failed_sub_calls: 1 });
    expect(harness.answerText()).toBe('answer to one, answer to two, answer to three');
    expect(typesOf(harness)).not.toContain('rlm.variables-lost');
  });

  test('a host that dies at any moment of a batch leaves the same answer, and nothing is paid twice', async () => {
    const kills = 8;
    for (let kill = 0; kill < kills; kill += 1) {
      const harness = new QuestionHarness(replies);
      let answered = 0;
      harness.completions.answer = (prompt) => {
        answered += 1;
        if (answered * 3 > kill) void Promise.resolve().then(() => harness.sandboxes.started[0]?.end('host'));
        return { text: `answer to ${prompt}` };
      };
      await harness.ask();
      await harness.rested();
      expect({ kill, text: harness.answerText() }).toEqual({
        kill,
        text: 'answer to one, answer to two, answer to three',
      });
      expect([...harness.completions.asked].sort()).toEqual(['one', 'three', 'two']);
    }
  });
});

describe('an interpreter that dies', () => {
  test('a dead interpreter is replaced with the variables before it, and model and operator are told', async () => {
    const harness = new QuestionHarness([repl('set seed 7'), repl('set x 1', 'die'), 'FINAL_VAR(seed)']);
    await harness.ask();
    await harness.rested();
    const prompt = lastPrompt(harness);
    expect(prompt).toContain('The sandbox ended in the middle of the block. RangeError');
    expect(prompt).toContain('the variables of the blocks before it are there');
    expect(prompt).toContain('REPL variables: [seed]');
    expect(prompt).not.toContain('All variables that you made are gone');
    expect(harness.answerText()).toBe('7');
    expect(ended(harness)?.warnings).toEqual([
      'The sandbox died once in the middle of a block and was replaced (Python stopped working: RangeError).',
    ]);
  });

  test('after a second death of the interpreter in a row the variables are given up, as they may be the cause', async () => {
    const harness = new QuestionHarness([repl('set seed 7'), repl('die'), repl('die'), 'FINAL("done")']);
    await harness.ask();
    await harness.rested();
    expect(lastPrompt(harness)).toContain('All variables that you made are gone');
    expect(harness.answerText()).toBe('done');
  });

  test('three deaths of the interpreter in a row end the question with the reason, and a resumed one may try again', async () => {
    const replies = [repl('die'), repl('die'), repl('die'), 'FINAL("done")'];
    const harness = new QuestionHarness(replies);
    await harness.ask();
    await harness.rested();
    expect(ended(harness)).toMatchObject({
      outcome: 'failed',
      error: { message: expect.stringContaining('died in 3 blocks in a row') },
    });
    expect(ended(harness)?.error?.message).toContain('RangeError');
    expect(harness.agents.sent).toHaveLength(3);
    await harness.resume();
    await harness.rested();
    expect(harness.answerText()).toBe('done');
  });

  test('a block that works between two deaths of the interpreter begins their count again', async () => {
    const dies = repl('die');
    const harness = new QuestionHarness([dies, dies, repl('set a 1'), dies, dies, 'FINAL("done")']);
    await harness.ask();
    await harness.rested();
    expect(harness.answerText()).toBe('done');
  });
});

describe('a sandbox that dies without any code to blame', () => {
  test('a sandbox that dies while it gets the documents is started again', async () => {
    const harness = new QuestionHarness([repl('print context'), 'FINAL("done")']);
    harness.sandboxes.deaths = 2;
    await harness.ask();
    await harness.rested();
    expect(harness.answerText()).toBe('done');
    const hopeless = new QuestionHarness(['FINAL("done")']);
    hopeless.sandboxes.deaths = 3;
    await hopeless.ask();
    await hopeless.rested();
    expect(ended(hopeless)?.error?.message).toBe('The sandbox died 3 times before it was ready.');
    expect(hopeless.agents.sent).toEqual([]);
  });

  test('a sandbox that dies while a variable is read is replaced and asked again, and no variable is called missing', async () => {
    const harness = new QuestionHarness([repl('set seed 7'), 'FINAL_VAR(seed)']);
    const { start } = harness.sandboxes;
    let reads = 0;
    harness.sandboxes.start = async () => {
      const started = await start.call(harness.sandboxes);
      const made = harness.sandboxes.started.at(-1);
      if (!started.ok || made === undefined) return fail('internal', 'none');
      const { read } = made;
      made.read = async (name) => {
        reads += 1;
        if (reads === 1) made.end('host');
        return read.call(made, name);
      };
      return ok(made);
    };
    await harness.ask();
    await harness.rested();
    expect([reads, harness.answerText()]).toEqual([2, '7']);
  });
});

test('an interrupt while the variables are built again ends the block, and the variables are kept', async () => {
  const harness = new QuestionHarness([repl('ask seed one'), repl('hang'), 'FINAL_VAR(seed)']);
  await harness.ask();
  await harness.rested();
  const { read } = harness.texts;
  let open: () => void = () => undefined;
  const reading = new Promise<void>((resolve) => {
    open = resolve;
  });
  harness.texts.read = async (folder, path) => {
    await reading;
    return read.call(harness.texts, folder, path);
  };
  await hostDies(harness);
  await harness.interrupt();
  open();
  await harness.rested();
  expect(typesOf(harness)).not.toContain('rlm.variables-lost');
  expect(harness.answerText()).toBe('answer to one');
});

test('a sandbox that is ready only after its question was cancelled is ended', async () => {
  const harness = new QuestionHarness(['FINAL("done")']);
  const starting = harness.points.hold('sandboxes.start', { moment: 'after' });
  await harness.ask();
  await harness.cancel();
  expect(harness.state().outcome).toBe('cancelled');
  starting.release();
  await harness.rested();
  expect(harness.sandboxes.started.map(({ alive }) => alive)).toEqual([false]);
});
