import { describe, expect, it } from 'vitest';
import { CONTINUE_PROMPT } from './broken';
import { Harness, task } from './testing/harness';

/** A run whose first turn is cut off as often as there are texts that were heard of it, and continued each time. */
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
  it('is one response with what was answered before, in the output and in the named ones', async () => {
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

  it('does not have what was answered before its prompt was sent again from its beginning', async () => {
    const harness = await cutOff('I beg');
    harness.partial = 'and go';
    await harness.restart();
    await harness.answer('resend');
    harness.agents.sent.at(-1)?.end({ response: 'on' });
    await harness.idle();
    // What was sent again is the prompt to continue, so that all of it is one answer.
    expect(harness.state().activations[1]?.outputs.data_out?.content).toMatchObject({
      merged_content: 'I beg\n\nand go\n\non',
    });
    const anew = new Harness();
    anew.agents.answer = () => null;
    await anew.run({ steps: [task('a')] });
    await anew.restart();
    await anew.answer('resend');
    anew.agents.sent.at(-1)?.end({ response: 'all of it' });
    await anew.idle();
    expect(anew.state().activations[1]?.outputs.data_out?.content).toMatchObject({
      merged_content: 'all of it',
    });
  });

  it('is not given its words again where something was heard of it', async () => {
    expect(lastPrompt(await cutOff('I begin.'))).toBe(CONTINUE_PROMPT);
  });

  it('is given its words where nothing was heard: they may never have reached the agent', async () => {
    const again = `${CONTINUE_PROMPT}\n\nIf you did not get the prompt of that turn, this is it:\n\ndo a`;
    expect(lastPrompt(await cutOff(''))).toBe(again);
    expect(lastPrompt(await cutOff('', ''))).toBe(again);
  });

  it('is not given them once more where the turn that brought them was heard of', async () => {
    expect(lastPrompt(await cutOff('', 'I begin.'))).toBe(CONTINUE_PROMPT);
  });
});
