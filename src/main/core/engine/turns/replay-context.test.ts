import { describe, expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';
import { CONTINUE_PROMPT } from './replay-context';

const ANEW =
  'This is a new conversation: the earlier one could not be resumed. What was said in it stands under "Earlier steps"; go on from there with what stands under "Now".';

const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);
const carrying = (entry: string, now: string): string =>
  `${ANEW}\n\n## Earlier steps\n### This session\n${entry}\n\n## Now\n${now}`;

/** An agent that cannot resume a conversation, and answers when told to. */
function forgetful(): Harness {
  const harness = new Harness();
  harness.agents.resumes = false;
  harness.agents.answer = () => null;
  return harness;
}

async function answered(harness: Harness, response: string): Promise<void> {
  harness.agents.sent.at(-1)?.end({ response });
  await harness.idle();
}

describe('a conversation that began again', () => {
  test('a conversation that began again gets a re-prompt with all that it has lost, and the next one alone again', async () => {
    const harness = forgetful();
    const re_prompts = ['Review it.', 'Incorporate your review.', 'Shorten it.'];
    await harness.run({ steps: [task('a', { re_prompts }, { on_interrupt: 'retry' })] });
    await answered(harness, 'draft');
    await answered(harness, 'too long');
    harness.partial = 'Shor';
    await harness.restart();
    expect(prompts(harness).slice(2)).toEqual([
      'Incorporate your review.',
      carrying(
        'Prompt 1:\ndo a\n\nAnswer 1:\ndraft\n\nPrompt 2:\nReview it.\n\nAnswer 2:\ntoo long',
        'Incorporate your review.',
      ),
    ]);
    await answered(harness, 'final');
    expect(prompts(harness).at(-1)).toBe('Shorten it.');
    await answered(harness, 'short');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a conversation gets its lost past each time, and never what it was told of a conversation before', async () => {
    const harness = forgetful();
    await harness.run({ steps: [task('a', { re_prompts: ['r1', 'r2'] }, { on_interrupt: 'retry' })] });
    await answered(harness, 'one');
    await harness.restart();
    await harness.restart();
    const first = 'Prompt 1:\ndo a\n\nAnswer 1:\none';
    expect(prompts(harness).slice(2)).toEqual([carrying(first, 'r1'), carrying(first, 'r1')]);
    await answered(harness, 'two');
    await harness.restart();
    expect(prompts(harness).at(-1)).toBe(carrying(`${first}\n\nPrompt 2:\nr1\n\nAnswer 2:\ntwo`, 'r2'));
  });

  test('a conversation that began again has what was cut off, where it is to be continued', async () => {
    const harness = forgetful();
    await harness.run({ steps: [task('a')] });
    harness.partial = 'I beg';
    await harness.restart();
    await harness.answer('continue');
    const cut = carrying('Prompt 1:\ndo a\n\nAnswer 1 (cut off):\nI beg', CONTINUE_PROMPT);
    expect(prompts(harness).at(-1)).toBe(cut);
  });

  test('a conversation gets the request and all answers, where a turn was cut off and continued', async () => {
    const harness = forgetful();
    await harness.run({ steps: [task('a', { re_prompts: ['r1'] })] });
    harness.partial = 'I beg';
    await harness.restart();
    await harness.answer('continue');
    harness.partial = 'an, and we';
    await harness.restart();
    await harness.answer('continue');
    expect(prompts(harness).at(-1)).toBe(
      carrying('Prompt 1:\ndo a\n\nAnswer 1 (cut off):\nI beg\n\nan, and we', CONTINUE_PROMPT),
    );
    await answered(harness, 'nt on.');
    harness.partial = '';
    await harness.restart();
    await harness.answer('resend');
    expect(prompts(harness).at(-1)).toBe(
      carrying('Prompt 1:\ndo a\n\nAnswer 1:\nI beg\n\nan, and we\n\nnt on.', 'r1'),
    );
  });

  test('a conversation gets what the agent may never have been given, once, where a turn of which nothing was heard is continued', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    harness.partial = '';
    await harness.run({ steps: [task('a', { re_prompts: ['r1'] })] });
    await harness.restart();
    await harness.answer('continue');
    expect(prompts(harness).at(-1)).toMatch(/^Your last turn was cut off[\s\S]*\n\ndo a$/);
    await answered(harness, 'done');
    harness.agents.resumes = false;
    await harness.restart();
    await harness.answer('resend');
    expect(prompts(harness).at(-1)).toBe(carrying('Prompt 1:\ndo a\n\nAnswer 1:\ndone', 'r1'));
  });

  test('a conversation that began again gets a prompt alone that was its first one', async () => {
    const harness = forgetful();
    await harness.run({ steps: [task('a', {}, { on_interrupt: 'retry' })] });
    await harness.restart();
    expect(prompts(harness)).toEqual(['do a', 'do a']);
  });

  test('a conversation gets what a step before had worked out in it, where that is continued', async () => {
    const harness = new Harness();
    harness.agents.resumes = false;
    await harness.run({
      steps: [task('a'), gate('ok'), task('b', { session_mode: 'continue' })],
      cables: [
        { from: 'a.data_out', to: 'ok.data_in' },
        { from: 'ok.approved_out', to: 'b.instruction_in' },
        { from: 'a.data_out', to: 'b.data_in' },
      ],
    });
    await harness.restart();
    await harness.answer('approve');
    const [, second] = prompts(harness);
    expect(second?.startsWith(carrying('Prompt 1:\ndo a\n\nAnswer 1:\nanswer to: do a', 'do b'))).toBe(true);
    expect(harness.state().turns[2]?.carried).toBeGreaterThan(0);
    expect(harness.state().sessions[1]).toMatchObject({ freshAt: 1, turnIds: [1, 2] });
  });

  test("a conversation gets the operator's prompt with what it has lost, and nothing of it where it was resumed", async () => {
    for (const resumes of [false, true]) {
      const harness = new Harness();
      harness.agents.resumes = resumes;
      await harness.run({
        steps: [task('a', { session_persist: true }), gate('ok')],
        cables: [{ from: 'a.data_out', to: 'ok.data_in' }],
      });
      await harness.restart();
      await harness.engine.command(1, () => ({
        ok: true,
        value: [
          { type: 'prompt.queued', promptId: 1, sessionId: 1, text: 'Why?', attachments: [], by: 'test' },
        ],
      }));
      await harness.idle();
      const told = carrying('Prompt 1:\ndo a\n\nAnswer 1:\nanswer to: do a', 'Why?');
      expect(prompts(harness).at(-1)).toBe(resumes ? 'Why?' : told);
    }
  });

  test('a conversation gets its beginning and its newest part, where all of it would be too long', async () => {
    const harness = forgetful();
    const re_prompts = Array.from({ length: 40 }, (_, index) => `r${index + 1}`);
    await harness.run({ steps: [task('a', { re_prompts }, { on_interrupt: 'retry' })] });
    for (let turn = 1; turn <= 40; turn += 1)
      await answered(harness, `begin ${turn} ${'é'.repeat(30_000)} end ${turn}`);
    await harness.restart();
    const told = prompts(harness).at(-1) ?? '';
    expect(new TextEncoder().encode(told).length).toBeLessThan(100_000);
    expect(told).toContain('Prompt 1:\ndo a\n\nAnswer 1:\nbegin 1 ');
    expect(told).toMatch(/\(3\d more, with their answers: left out here\.\)/);
    expect(told).toMatch(
      /Prompt 40:\nr39\n\nAnswer 40:\nbegin 40 é+\n\(… \d+ characters are left out here …\)\né+ end 40\n/,
    );
    expect(told.endsWith('\n\n## Now\nr40')).toBe(true);
    await answered(harness, 'done');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a conversation loses nothing of a long prompt that is continued', async () => {
    const harness = forgetful();
    const instruction = `Read this. ${'x'.repeat(120_000)} That was it.`;
    await harness.run({ steps: [task('a', { instruction })] });
    harness.partial = 'I beg';
    await harness.restart();
    await harness.answer('continue');
    expect(prompts(harness).at(-1)).toBe(
      carrying(`Prompt 1:\n${instruction}\n\nAnswer 1 (cut off):\nI beg`, CONTINUE_PROMPT),
    );
  });
});
