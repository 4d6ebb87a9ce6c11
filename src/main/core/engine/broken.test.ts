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
