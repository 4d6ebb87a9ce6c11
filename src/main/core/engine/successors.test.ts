import { appError } from '@contract/errors';
import { runStatus } from '@contract/run/status';
import { describe, expect, test } from 'vitest';
import type { TurnResult } from '../ports/ports';
import { gate, Harness, task } from './testing/harness';

const sent = (harness: Harness) => harness.agents.sent.map((turn) => turn.request.prompt.split('\n')[0]);
const end = async (harness: Harness, result: Partial<TurnResult> = { response: 'x' }) => {
  harness.agents.sent.at(-1)?.end(result);
  await harness.idle();
};
const cables = [
  { from: 'a.data_out', to: 'b.data_in' },
  { from: 'a.data_out', to: 'c.data_in' },
];

/** Two steps that continue a third step's session; the first is in its turn. */
async function sharing(config: Record<string, unknown> = {}): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = ({ request }) => (request.prompt.startsWith('do a') ? { response: 'a' } : null);
  const goesOn = { session_mode: 'continue' };
  await harness.run({ steps: [task('a'), task('b', { ...goesOn, ...config }), task('c', goesOn)], cables });
  expect(sent(harness)).toEqual(['do a', 'do b']);
  return harness;
}

describe('steps that share a session', () => {
  test('steps that share a session have one program, from the first to the last', async () => {
    const harness = await sharing();
    await end(harness);
    expect(sent(harness)).toEqual(['do a', 'do b', 'do c']);
    expect(harness.agents.opened).toHaveLength(1);
    expect(harness.agents.ended).toEqual([]);
    await end(harness);
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.agents.ended).toHaveLength(1);
  });

  test('steps that share a session keep it for one that has not begun yet', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [
        task('a'),
        task('b', { session_mode: 'continue' }),
        gate('ok'),
        task('c', { session_mode: 'continue' }),
      ],
      cables: [
        { from: 'a.data_out', to: 'b.data_in' },
        { from: 'a.data_out', to: 'ok.data_in' },
        { from: 'ok.approved_out', to: 'c.data_in' },
      ],
    });
    expect(sent(harness)).toEqual(['do a', 'do b']);
    expect(harness.agents.ended).toEqual([]);
    await harness.answer('approve');
    expect(harness.agents.opened).toHaveLength(1);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('steps that share a session close it once no one goes on in it', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [task('a'), task('b', { session_mode: 'continue' }), gate('ok')],
      cables: [
        { from: 'a.data_out', to: 'b.data_in' },
        { from: 'b.data_out', to: 'ok.data_in' },
      ],
    });
    expect(harness.agents.ended).toHaveLength(1);
  });

  test('steps that share a session speak one after the other, also where the first waits in the middle of its chain', async () => {
    const limit = { outcome: 'limit' as const, limitResetsAt: 5_000 };
    const login = {
      outcome: 'failed' as const,
      error: appError('agent.auth_required', 'not logged in'),
    };
    for (const cut of [limit, login]) {
      const harness = await sharing({ re_prompts: ['again'] });
      await end(harness, cut);
      expect(sent(harness)).toEqual(['do a', 'do b']);
      expect(harness.agents.opened).toHaveLength(1);
      if (cut === limit) {
        harness.clock.advance(5_000);
        await harness.idle();
      } else await harness.answer('resend');
      await end(harness);
      await end(harness);
      await end(harness);
      expect(sent(harness)).toEqual(['do a', 'do b', 'do b', 'again', 'do c']);
      expect(harness.state().outcome).toBe('succeeded');
    }
  });

  test('steps that share a session wait together where the first was cut off, until it has ended in whatever way', async () => {
    const harness = await sharing();
    await harness.restart();
    expect(sent(harness)).toEqual(['do a', 'do b']);
    expect(runStatus(harness.state())).toBe('waiting');
    await harness.answer('fail');
    expect(sent(harness)).toEqual(['do a', 'do b', 'do c']);
    await end(harness);
    expect(harness.state().outcome).toBe('failed');
  });
});
