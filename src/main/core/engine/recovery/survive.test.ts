import { describe, expect, test } from 'vitest';
import { Harness } from '../testing/harness';

/** A command in a terminal, which is interrupted if it does not survive the core. */
const command = (more: Record<string, unknown> = {}) => ({
  id: 'c',
  type: 'step.command',
  on_interrupt: 'retry',
  config: { script: 'build', ...more },
});

async function running(more: Record<string, unknown> = {}): Promise<Harness> {
  const harness = new Harness();
  harness.commands.answer = () => null;
  harness.commands.survives = () => true;
  await harness.run({ steps: [command(more)] });
  return harness;
}

const ends = (harness: Harness) =>
  harness
    .events()
    .filter(({ type }) => type === 'command.finished' || type === 'command.interrupted')
    .map(({ type }) => type);

describe('a command in a terminal that outlives the core', () => {
  test('a command in a terminal runs on: the restart is not mentioned, and its end comes as if there had been none', async () => {
    const harness = await running();
    const before = harness.events();
    await harness.restart();
    expect(harness.events()).toEqual(before);
    expect(harness.state().commands[1]?.status).toBe('running');
    harness.commands.ran[0]?.end({ output: 'built' });
    await harness.idle();
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    expect(harness.state().commands[1]).toMatchObject({ status: 'exited', output: 'built' });
    expect(harness.commands.ran).toHaveLength(1);
    expect(harness.commands.ran[0]?.taken).toBe(true);
  });

  test('a command that outlives the core is known with the time at which it really began', async () => {
    const harness = await running({ timeout_seconds: 60 });
    harness.clock.advance(5_000);
    await harness.restart();
    expect(harness.commands.reattached).toEqual([
      { commandId: 1, past: { startedAt: 1_000, cancelled: false } },
    ]);
  });

  test('a command that ended while there was no core has its result counted, once', async () => {
    const harness = await running();
    harness.commands.cut();
    harness.commands.ran[0]?.end({ exitCode: 0, output: 'built' });
    await harness.restart();
    expect(ends(harness)).toEqual(['command.finished']);
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    await harness.restart();
    expect(ends(harness)).toEqual(['command.finished']);
  });

  test('a command in a terminal is interrupted where it is gone, and handled by its policy', async () => {
    const harness = await running();
    harness.commands.survives = () => false;
    await harness.restart();
    expect(ends(harness)).toEqual(['command.interrupted']);
    expect(harness.commands.ran.map(({ spec }) => spec.commandId)).toEqual([1, 2]);
  });

  test('a command is not looked for where it ran through pipes', async () => {
    const harness = await running({ terminal: false });
    await harness.restart();
    expect(harness.commands.reattached).toEqual([]);
    expect(ends(harness)).toEqual(['command.interrupted']);
  });

  test('a command is cancelled after it was taken up again, and also where the core went while it was cancelling', async () => {
    const harness = await running();
    await harness.restart();
    await harness.cancel();
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
    expect(harness.state().commands[1]?.status).toBe('cancelled');

    const other = await running();
    // The first core requests its end and dies before it ends.
    const [ran] = other.commands.ran;
    other.commands.cut();
    await other.cancel();
    await other.restart();
    expect(other.commands.reattached).toEqual([
      { commandId: 1, past: { startedAt: 1_000, cancelled: true } },
    ]);
    expect(other.state().commands[1]?.status).toBe('cancelled');
    expect(other.state().status).toBe('finished');
    expect(ran?.taken).toBe(true);
  });

  test('a command in a terminal lives through a second crash, and through one between its end and the log', async () => {
    const harness = await running();
    await harness.restart();
    await harness.restart();
    expect(ends(harness)).toEqual([]);
    // The core has the result, and dies before the store accepts it.
    harness.log.failing = Number.POSITIVE_INFINITY;
    harness.commands.ran[0]?.end({ output: 'built' });
    await harness.idle();
    expect(harness.commands.ran[0]?.taken).toBe(false);
    harness.log.failing = 0;
    await harness.restart();
    expect(ends(harness)).toEqual(['command.finished']);
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.commands.ran).toHaveLength(1);
  });

  test('a command that outlives the core keeps all others waiting until it is known which of them live', async () => {
    const harness = await running();
    harness.commands.survives = () => false;
    const recovering = harness.restartEngine();
    const answered = harness.engine.command(1, ({ state }) => {
      expect(state.commands[1]?.status).toBe('interrupted');
      return { ok: true, value: [] };
    });
    await Promise.all([recovering, answered]);
  });

  test('a command in a terminal is interrupted when Muster is closed in order, and its terminal ends too', async () => {
    const harness = await running();
    await harness.engine.park();
    expect(ends(harness)).toEqual(['command.interrupted']);
  });
});
