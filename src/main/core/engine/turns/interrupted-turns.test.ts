import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import { describe, expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';
import { CONTINUE_PROMPT } from './replay-context';

const cables = [{ from: 'a.data_out', to: 'ok.data_in' }];

/** A run whose first turn is interrupted once for each of these streamed texts, and continued each time. */
async function cutOff(...heard: string[]): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a')] });
  for (const text of heard) {
    harness.partial = text;
    await harness.restart();
    await harness.answer('continue');
  }
  return harness;
}

const lastPrompt = (harness: Harness) => harness.agents.sent.at(-1)?.request.prompt;

describe('a turn that is continued after it was cut off', () => {
  test('a continued turn is one response with what was answered before, in the output and in the named ones', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a', { named_outputs: ['Plan', 'Risks'], separate_outputs: true })] });
    for (const text of ['Plan\nFirst this,', 'then that.\n']) {
      harness.partial = text;
      await harness.restart();
      await harness.answer('continue');
    }
    harness.agents.sent.at(-1)?.end({ response: 'Risks\nNone.' });
    await harness.idle();
    const { outputs, warnings } = harness.state().activations[1] ?? {};
    const whole = 'Plan\nFirst this,\n\nthen that.\nRisks\nNone.';
    expect(outputs?.data_out?.content).toMatchObject({ merged_content: whole, response_count: 1 });
    expect(outputs?.original_out?.content).toBe(whole);
    expect(Object.values(outputs ?? {}).map(({ content }) => content)).toEqual(
      expect.arrayContaining(['First this,\n\nthen that.', 'None.']),
    );
    expect(warnings).toEqual([]);
  });

  test('a continued turn does not have what was answered before its prompt was sent again from its beginning', async () => {
    const harness = await cutOff('I beg');
    harness.partial = 'and go';
    await harness.restart();
    await harness.answer('resend');
    harness.agents.sent.at(-1)?.end({ response: 'on' });
    await harness.idle();
    // The resent prompt asks to continue, so that all parts form one answer.
    expect(harness.state().activations[1]?.outputs.data_out?.content).toMatchObject({
      merged_content: 'I beg\n\nand go\n\non',
    });
    const again = new Harness();
    again.agents.answer = () => null;
    await again.run({ steps: [task('a')] });
    await again.restart();
    await again.answer('resend');
    again.agents.sent.at(-1)?.end({ response: 'all of it' });
    await again.idle();
    expect(again.state().activations[1]?.outputs.data_out?.content).toMatchObject({
      merged_content: 'all of it',
    });
  });

  test('a continued turn is not given its words again where something was heard of it', async () => {
    expect(lastPrompt(await cutOff('I begin.'))).toBe(CONTINUE_PROMPT);
  });

  test('a continued turn is given its words where nothing was heard: they may never have reached the agent', async () => {
    const again = `${CONTINUE_PROMPT}\n\nIf you did not get the prompt of that turn, this is it:\n\ndo a`;
    expect(lastPrompt(await cutOff(''))).toBe(again);
    expect(lastPrompt(await cutOff('', ''))).toBe(again);
  });

  test('a continued turn is not given its words once more where the turn that brought them was heard of', async () => {
    expect(lastPrompt(await cutOff('', 'I begin.'))).toBe(CONTINUE_PROMPT);
  });
});

describe('updates of turns that did not end by themselves', () => {
  const updates = (harness: Harness) =>
    harness.events().flatMap((event) => (event.type === 'update.posted' ? [event.text.split('\n')] : []));

  test('a turn that a crash cut off has its own update, and each that stands in for it is a retry', async () => {
    const harness = await cutOff('Half of it.', '');
    harness.agents.sent.at(-1)?.end({ response: 'Whole.' });
    await harness.idle();
    expect(updates(harness).map(([first, , result, , summary]) => [first, result, summary])).toEqual([
      ['Iteration 1/1', 'Result: failed', 'Summary: The attempt was interrupted. Half of it.'],
      [
        'Iteration 1/1 (retry 1)',
        'Result: failed',
        expect.stringMatching(/^Summary: The attempt was interrupted\. Muster ended/),
      ],
      ['Iteration 1/1 (retry 2)', 'Result: completed', 'Summary: Whole.'],
    ]);
    const events = harness.events().map(({ type }) => type);
    expect(events[events.indexOf('turn.interrupted') + 1]).toBe('update.posted');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test("a turn at a provider's limit is blocked, and what is sent after the reset is a retry", async () => {
    const harness = new Harness();
    const limit = appError('agent.limit', 'The limit is reached.');
    harness.agents.answer = ({ request }) =>
      request.turnId === 1 ? { outcome: 'limit', error: limit } : { response: 'Done.' };
    await harness.run({ steps: [task('a')] });
    expect(updates(harness)).toEqual([
      ['Iteration 1/1', 'Story: a - a', 'Result: blocked', 'Commit: none', 'Summary: The limit is reached.'],
    ]);
    await harness.answer('resend');
    expect(updates(harness)[1]).toContain('Iteration 1/1 (retry 1)');
  });

  test("a turn of the operator's own prompt has no update", async () => {
    const harness = new Harness();
    await harness.run({ steps: [task('a', { session_persist: true }), gate('ok')], cables });
    harness.agents.answer = () => null;
    const said = { promptId: 1, sessionId: 1, text: 'More.', attachments: [], by: 'test' };
    await harness.engine.command(1, () => ok([{ type: 'prompt.queued', ...said }]));
    await harness.idle();
    await harness.restart();
    expect(harness.events().some(({ type }) => type === 'turn.interrupted')).toBe(true);
    expect(updates(harness)).toHaveLength(1);
  });
});
