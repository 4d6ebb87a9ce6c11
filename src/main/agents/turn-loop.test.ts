import { expect, test, vi } from 'vitest';
import type { Seen, TurnResult } from '../core/ports/ports';
import {
  ended,
  type StopCause,
  type TurnClock,
  type TurnInFlight,
  TurnLoop,
  type TurnLoopOptions,
} from './turn-loop';

const MINUTE = 60_000;

/** A clock advanced by the test. */
class HandClock implements TurnClock {
  #now = 1_000;
  timersSet = 0;
  #timers: { readonly due: number; readonly run: () => void }[] = [];

  now = () => this.#now;

  at(due: number, run: () => void): () => void {
    const timer = { due, run };
    this.timersSet += 1;
    // A timer that is due at once and sets itself again would never let the time pass.
    if (this.timersSet > 1_000) throw new Error('timers are set without end');
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.due - b.due)[0];
      if (next === undefined || next.due > until) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = until;
  }

  get set(): number {
    return this.#timers.length;
  }
}

/** A turn that its agent ends by `finish`, or by reacting to a stop. */
function begin(options: Partial<TurnLoopOptions> = {}, heeds = true) {
  const clock = new HandClock();
  const loop = new TurnLoop({ clock, silenceMinutes: null, ...options });
  const asked: (StopCause | null)[] = [];
  let finish: () => void = () => {};
  const flights: TurnInFlight[] = [];
  const result = loop.turn(async (turn) => {
    flights.push(turn);
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    turn.endsBy(() => {
      asked.push(turn.cause);
      if (heeds) finish();
    });
    await over;
    return said(loop.stoppedAs(turn) ?? ended('completed', 'end_turn'));
  });
  const [turn] = flights;
  if (turn === undefined) throw new Error('the turn has not begun');
  return { clock, loop, asked, result, turn, finish: () => finish() };
}

const said = (end: ReturnType<typeof ended>): TurnResult => ({ ...end, response: 'said', usage: null });

test('a turn that its agent ends is reported as such, and leaves no timer behind', async () => {
  const { clock, finish, result, loop } = begin({ silenceMinutes: 1, kill: { afterMs: 5, run: () => {} } });
  finish();
  expect(await result).toMatchObject({ outcome: 'completed', stopReason: 'end_turn', response: 'said' });
  expect([clock.set, loop.current]).toEqual([0, null]);
});

test('a second turn is refused while one is in flight, and taken after it', async () => {
  const { finish, loop, result } = begin();
  expect(await loop.turn(async () => said(ended('completed', 'x')))).toMatchObject({
    error: { code: 'conflict' },
  });
  finish();
  await result;
  expect(await loop.turn(async () => said(ended('completed', 'x')))).toMatchObject({ outcome: 'completed' });
});

test('a cancel asks the agent once and resolves when the turn has ended', async () => {
  const { asked, loop, result } = begin();
  await Promise.all([loop.cancel(), loop.cancel()]);
  expect(asked).toEqual(['operator']);
  expect(await result).toMatchObject({ outcome: 'cancelled', stopReason: 'cancelled', error: null });
});

test('a cancel before the adapter knows how to end the turn ends it as soon as it does', async () => {
  const loop = new TurnLoop({ silenceMinutes: null });
  const asked = vi.fn();
  const result = loop.turn(async (turn) => {
    await turn.stopped;
    turn.endsBy(asked);
    return said(loop.stoppedAs(turn) ?? ended('completed', 'x'));
  });
  await loop.cancel();
  expect(asked).toHaveBeenCalledTimes(1);
  expect((await result).outcome).toBe('cancelled');
});

test('a silent agent is brought to the operator, and taken back when it is heard of', async () => {
  const { clock, finish, result, turn } = begin();
  const seen: Seen[] = [];
  turn.asks((one) => seen.push(one));
  clock.pass(9 * MINUTE);
  turn.heard();
  clock.pass(9 * MINUTE);
  expect(seen).toEqual([]);
  clock.pass(5 * MINUTE);
  expect(seen).toMatchObject([
    { state: 'stalled', reason: expect.stringContaining('nothing was heard of it') },
  ]);
  turn.heard();
  expect(seen.map(({ state }) => state)).toEqual(['stalled', 'working']);
  finish();
  await result;
  expect(clock.set).toBe(0);
});

test('an agent that reports only that its model server is down is brought to the operator within a minute', async () => {
  const { clock, finish, result, turn } = begin();
  const seen: Seen[] = [];
  turn.asks((one) => seen.push(one));
  for (let tries = 1; tries <= 12; tries += 1) {
    turn.heard();
    turn.troubled(`Reconnecting... ${tries}`);
    clock.pass(10_000);
  }
  expect(seen).toMatchObject([{ state: 'stalled', reason: 'it reports only: Reconnecting... 6' }]);
  turn.progressed();
  expect(seen.map(({ state }) => state)).toEqual(['stalled', 'working']);
  finish();
  await result;
  expect(clock.set).toBe(0);
});

test('trouble that passes within the minute is told to no one', async () => {
  const { clock, finish, result, turn } = begin();
  const seen: Seen[] = [];
  turn.asks((one) => seen.push(one));
  turn.troubled('Reconnecting... 1');
  clock.pass(30_000);
  turn.progressed();
  clock.pass(5 * MINUTE);
  expect(seen).toEqual([]);
  finish();
  await result;
});

test('an agent that does not heed a cancel is ended after its time, and one that does is not', async () => {
  const kill = { afterMs: 5000, run: vi.fn() };
  const deaf = begin({ kill }, false);
  void deaf.loop.cancel();
  deaf.clock.pass(4999);
  expect(kill.run).not.toHaveBeenCalled();
  deaf.clock.pass(1);
  expect(kill.run).toHaveBeenCalledTimes(1);
  const heeding = begin({ kill });
  await heeding.loop.cancel();
  heeding.clock.pass(MINUTE);
  expect(kill.run).toHaveBeenCalledTimes(1);
});

test('the limit of a profile says after which silence the operator is asked, once, and never ends the turn', async () => {
  const { clock, finish, result, turn } = begin({ silenceMinutes: 2 });
  const seen: Seen[] = [];
  turn.asks((one) => seen.push(one));
  clock.pass(MINUTE);
  turn.heard();
  clock.pass(2 * MINUTE - 1);
  expect(seen).toEqual([]);
  clock.pass(1);
  const stalled = { state: 'stalled', reason: 'nothing was heard of it for 2 minutes' };
  expect(seen).toMatchObject([stalled]);
  clock.pass(60 * MINUTE);
  expect(seen).toHaveLength(1);
  expect(turn.cause).toBeNull();
  finish();
  expect(await result).toMatchObject({ outcome: 'completed' });
});

test('a silence that goes on after the question is looked at once a minute', async () => {
  const { clock, turn, finish, result } = begin({ silenceMinutes: 5 });
  const seen: Seen[] = [];
  turn.asks((one) => seen.push(one));
  clock.pass(5 * MINUTE);
  expect(seen).toHaveLength(1);
  const before = clock.timersSet;
  clock.pass(10 * MINUTE);
  expect([clock.timersSet - before, seen.length]).toEqual([10, 1]);
  finish();
  await result;
});

test('the silence of the operator is not the agent’s', async () => {
  const { clock, turn, finish, result } = begin({ silenceMinutes: 1 });
  const seen: Seen[] = [];
  turn.asks((one) => seen.push(one));
  let answer: (text: string) => void = () => {};
  const waited = turn.waitFor(
    new Promise<string>((resolve) => {
      answer = resolve;
    }),
  );
  clock.pass(60 * MINUTE);
  expect(seen).toEqual([]);
  answer('yes');
  expect(await waited).toBe('yes');
  clock.pass(MINUTE - 1);
  expect(seen).toEqual([]);
  finish();
  await result;
});

test('a question is given up when its turn is stopped', async () => {
  const { turn, loop } = begin();
  const waited = turn.waitFor(new Promise(() => {}));
  await loop.cancel();
  expect(await waited).toBeNull();
});

test('the first cause of a stopped turn counts', async () => {
  const { clock, turn, result, asked } = begin({ silenceMinutes: 1 }, false);
  turn.stop('operator');
  clock.pass(10 * MINUTE);
  expect([turn.cause, asked]).toEqual(['operator', ['operator']]);
  turn.end();
  void result;
});

test.each(['parked', 'closed'] as const)(
  'a session that is %s ends its turn as that and takes no other',
  async (how) => {
    const { loop, result } = begin();
    const end = vi.fn(async () => {});
    await loop.leave(how, end);
    expect(end).toHaveBeenCalledTimes(1);
    expect(await result).toMatchObject({ outcome: 'cancelled', stopReason: how });
    expect(await loop.turn(async () => said(ended('completed', 'x')))).toMatchObject({
      error: { code: 'conflict', message: `The session was ${how}.` },
    });
  },
);

test('a lost process is reported after the end of its turn, and not where it was asked to go', async () => {
  const { loop, result, finish } = begin();
  const told: string[] = [];
  void result.then(() => told.push('turn'));
  loop.lost({ code: 1, signal: null }, (how) => told.push(how));
  finish();
  await vi.waitFor(() => expect(told).toEqual(['turn', 'exited with code 1']));
  const left = begin();
  await left.loop.leave('closed');
  const tell = vi.fn();
  left.loop.lost({ code: 1, signal: null }, tell);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(tell).not.toHaveBeenCalled();
});

test('a turn whose host died is interrupted, and so is one for a session that lost its host', async () => {
  const { loop, result, turn } = begin();
  turn.stopForHost("Muster's terminal host died");
  expect(await result).toMatchObject({
    outcome: 'failed',
    interrupted: "Muster's terminal host died",
    response: 'said',
  });
  loop.lost({ code: null, signal: 'SIGKILL', host: 'guard' }, () => {});
  const next = await loop.turn(async () => said(ended('completed', 'x')));
  expect(next).toMatchObject({ interrupted: "Muster's guard process of the agent died" });
});

test('an adapter that throws ends its turn as failed', async () => {
  const loop = new TurnLoop({ silenceMinutes: null });
  const result = await loop.turn(async () => {
    throw new Error('bug');
  });
  expect(result).toMatchObject({ outcome: 'failed', error: { code: 'internal' } });
  expect(loop.current).toBeNull();
});

test('a silence of months does not fire at once', () => {
  const tell = vi.fn();
  const { turn } = begin({ silenceMinutes: 60 * 24 * 365 });
  turn.asks(tell);
  expect(tell).not.toHaveBeenCalled();
  turn.end();
});
