import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionSpec, TurnRequest } from '../../core/ports/ports';
import type { CliLimits } from './limits';
import { CliWorld } from './testing/world';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
  world.startHere();
});
afterEach(() => world.stop());

const silent = () => {
  const items: TranscriptItem[] = [];
  const lost: string[] = [];
  const listener = {
    items: (_turn: number, some: readonly TranscriptItem[]) => void items.push(...some),
    permission: async () => ({ allow: false, always: false, reason: null }),
    lost: (reason: string) => void lost.push(reason),
  };
  return { items, lost, listener };
};

const request = (turnId: number, prompt: string): TurnRequest => ({ turnId, prompt, attachments: [] });
const past = (turn: (TurnRequest & { streamed: readonly TranscriptItem[] }) | null = null) => ({
  providerSessionId: null,
  agent: 'Fake',
  capabilities: null,
  notice: 'as before',
  turn,
});

/** Generous, so that neither a busy machine nor a slow program fails the test. */
const PATIENCE = { timeout: 120_000, interval: 20 };
const patient: Partial<CliLimits> = {
  startMs: 60_000,
  idleMs: 120_000,
  cancelMs: 60_000,
};

async function begin(spec: SessionSpec, limits: Partial<CliLimits> = {}) {
  const heard = silent();
  const opened = await world.agent({ ...patient, ...limits }).open(spec, heard.listener);
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return { session: opened.value, ...heard };
}

/** The next core's look at the session; `streamed` is what the previous one had streamed of the turn. */
async function takeUp(
  spec: SessionSpec,
  turn: TurnRequest | null,
  { streamed = [], ...limits }: Partial<CliLimits> & { streamed?: readonly TranscriptItem[] } = {},
) {
  const heard = silent();
  const agent = world.agent({ ...patient, ...limits });
  const found = await agent.reattach(spec, past(turn && { ...turn, streamed }), heard.listener);
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return { ...found.value, ...heard };
}

const printed = (text: string) => vi.waitFor(() => expect(world.output()).toContain(text), PATIENCE);
const noteOf = ({ sessionId }: SessionSpec) =>
  join(world.folder, 'artifacts', 'terminals', `s${sessionId}-0.agent`, 'kept.json');
const phase = (spec: SessionSpec): string | undefined =>
  existsSync(noteOf(spec)) ? JSON.parse(readFileSync(noteOf(spec), 'utf8')).turn?.phase : undefined;

describe('a program whose core is killed', { timeout: 120_000 }, () => {
  test('a program between two turns takes the next one: the same process, which knows the earlier ones', async () => {
    const spec = world.spec(world.profile([]));
    const { session } = await begin(spec);
    await session.turn(request(1, 'first pid signal'));
    await printed('pid=');
    const pid = /pid=(\d+)/.exec(world.output())?.[1];
    world.nextCore();
    const again = await takeUp(spec, null);
    expect(again.turn).toBe(null);
    expect(again.session.ready).toMatchObject({ agent: 'Fake', fresh: false, notice: 'as before' });
    expect(await again.session.turn(request(2, 'second turns\npid signal'))).toMatchObject({
      outcome: 'completed',
      stopReason: 'end_turn',
      response: 'answer to second',
    });
    await printed('turns=2');
    await vi.waitFor(
      () => expect(world.output().match(/pid=\d+/g)).toEqual([`pid=${pid}`, `pid=${pid}`]),
      PATIENCE,
    );
    expect(again.items).toEqual([{ type: 'text', text: 'answer to second' }]);
    await again.session.close();
    expect(again.lost).toEqual([]);
  });

  test('a program in mid-turn ends its turn under the next core, in its own words, and is not typed to again', async () => {
    const spec = world.spec(world.profile([]));
    const { session } = await begin(spec);
    const turn = request(1, 'first say:begun wait:go signal');
    void session.turn(turn);
    await printed('\nbegun');
    world.nextCore();
    const again = await takeUp(spec, turn);
    expect(again.turn).toMatchObject({ kind: 'goes_on' });
    if (again.turn?.kind !== 'goes_on') return;
    const end = again.turn.follow();
    writeFileSync(join(world.folder, 'go'), '');
    expect(await end).toMatchObject({ stopReason: 'end_turn', response: 'answer to first' });
    expect(await again.session.turn(request(2, 'second turns signal'))).toMatchObject({
      outcome: 'completed',
    });
    await printed('turns=2');
    await again.session.close();
  });

  test('a turn that a program ended without a core is found ended, and reported once', async () => {
    const spec = world.spec(world.profile([]));
    const { session } = await begin(spec);
    const turn = request(1, 'first say:begun wait:go signal say:after');
    void session.turn(turn);
    await printed('\nbegun');
    world.killCore();
    writeFileSync(join(world.folder, 'go'), '');
    await printed('\nafter');
    world.nextCore();
    const streamed: TranscriptItem[] = [{ type: 'text', text: 'answer to first' }];
    const again = await takeUp(spec, turn, { streamed });
    const end = again.turn?.kind === 'goes_on' ? await again.turn.follow() : null;
    expect(end).toMatchObject({ outcome: 'completed', response: 'answer to first' });
    // The previous core had received it and was killed before it was in the log.
    expect(again.items).toEqual([]);
    await again.session.close();
  });

  test('a program that reports nothing is read from its screen, from where the turn began', async () => {
    const spec = world.spec(world.profile([]));
    // The first core must not take a pause for the end of the turn.
    const { session } = await begin(spec, { idleMs: 60_000 });
    await session.turn(request(1, 'x say:of_the_first signal'));
    const turn = request(2, 'x say:the_answer wait:go say:is_42');
    void session.turn(turn);
    await printed('\nthe answer');
    writeFileSync(join(world.folder, 'go'), '');
    await printed('\nis 42');
    world.nextCore();
    const again = await takeUp(spec, turn, { idleMs: 1000 });
    const end = again.turn?.kind === 'goes_on' ? again.turn.follow() : null;
    expect(await end).toMatchObject({ stopReason: 'idle', response: 'the answer\nis 42' });
    await again.session.close();
  });

  test('a program that ends without a core is gone between turns, and its turn crashed in mid-turn', async () => {
    const spec = world.spec(world.profile([]));
    const { session } = await begin(spec);
    const turn = request(1, 'x say:begun wait:go say:last_words exit:3');
    void session.turn(turn);
    await printed('\nbegun');
    world.killCore();
    writeFileSync(join(world.folder, 'go'), '');
    await printed('\nlast words');
    world.nextCore();
    const again = await takeUp(spec, turn);
    const end = again.turn?.kind === 'goes_on' ? await again.turn.follow() : null;
    expect(end).toMatchObject({
      stopReason: 'crashed',
      error: { message: expect.stringContaining('code 3') },
    });
    await vi.waitFor(() => expect(again.lost).toEqual(['The program exited with code 3.']), PATIENCE);
    // Not acknowledged: its end was not in the log when this core ended.
    world.nextCore();
    const heard = silent();
    expect(await world.agent().reattach(spec, past(), heard.listener)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('exited with code 3') },
    });
    expect(await world.agent().reattach(spec, past(), heard.listener)).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  test('the program that was started last is taken up, also where no one has taken the end of the one before', async () => {
    const spec = world.spec(world.profile([]));
    const { session, lost } = await begin(spec);
    await session.turn(request(1, 'x say:bye exit:3'));
    await vi.waitFor(() => expect(lost).toHaveLength(1), PATIENCE);
    await begin(spec);
    world.nextCore();
    const again = await takeUp(spec, null);
    expect(await again.session.turn(request(2, 'second signal'))).toMatchObject({ outcome: 'completed' });
    await again.session.close();
  });

  test('a turn of which nothing was typed is sent, and is typed once', async () => {
    const spec = world.spec(world.profile(['--ask-first']));
    const { session } = await begin(spec);
    const turn = request(1, 'first turns signal');
    void session.turn(turn);
    await printed('trust the files');
    world.nextCore();
    const again = await takeUp(spec, turn);
    expect(again.turn).toEqual({ kind: 'unsent' });
    const end = again.session.turn(turn);
    world.type('y');
    expect(await end).toMatchObject({ response: 'answer to first' });
    await printed('turns=1');
    await again.session.close();
  });

  test('a prompt that was typed without Enter is cut off, and the notice says what was seen', async () => {
    // The program does not react to input, so that the core waits for its echo.
    const spec = world.spec(world.profile(['--no-echo']));
    const { session } = await begin(spec, { echoMs: 20_000 });
    const turn = request(1, 'first turns signal');
    void session.turn(turn);
    await vi.waitFor(() => expect(phase(spec)).toBe('typing'), PATIENCE);
    world.nextCore();
    const again = await takeUp(spec, turn);
    expect(again.turn).toEqual({ kind: 'cut', reason: expect.stringMatching(/before Enter; it may be/) });
    expect(JSON.parse(readFileSync(noteOf(spec), 'utf8'))).toMatchObject({ leftLines: 1, turn: { id: 1 } });
    // The next core is killed before it has reported it.
    world.nextCore();
    const third = await takeUp(spec, turn);
    expect(third.turn?.kind).toBe('cut');
    await third.session.close();
  });

  test('a turn that was being cancelled is not interrupted a second time', async () => {
    const spec = world.spec(world.profile([]));
    const { session } = await begin(spec);
    const turn = request(1, 'first say:begun keys quiet');
    void session.turn(turn);
    await printed('\nbegun');
    void session.cancel();
    await printed('\nkeys=1');
    world.nextCore();
    const again = await takeUp(spec, turn, { cancelMs: 1200 });
    if (again.turn?.kind !== 'goes_on') throw new Error(JSON.stringify(again.turn));
    const end = again.turn.follow();
    await again.session.cancel();
    expect(await end).toMatchObject({ outcome: 'cancelled' });
    expect(world.output()).not.toContain('keys=2');
    await again.session.close();
  });

  test('an unknown program is ended, and so is one that another start would meet in its file', async () => {
    const spec = world.spec(world.profile([]));
    const { session } = await begin(spec);
    await session.turn(request(1, 'first pid signal'));
    await printed('pid=');
    const pid = Number(/pid=(\d+)/.exec(world.output())?.[1]);
    writeFileSync(noteOf(spec), 'not what it was');
    world.nextCore();
    expect(await world.agent().reattach(spec, past(), silent().listener)).toMatchObject({ ok: false });
    expect(() => process.kill(pid, 0)).toThrow();
    const { session: second } = await begin(spec);
    await second.turn(request(2, 'second pid signal'));
    await vi.waitFor(() => expect(world.output().match(/pid=/g)).toHaveLength(2), PATIENCE);
    const other = Number([...world.output().matchAll(/pid=(\d+)/g)].at(-1)?.[1]);
    world.nextCore();
    const { session: third } = await begin(spec);
    expect(() => process.kill(other, 0)).toThrow();
    await third.close();
  });
});

test('whenever its core is killed, each prompt is entered once by itself, and each answer comes', async () => {
  const moments = fc.array(fc.nat(700), { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(moments, async (delays) => {
      const spec = world.spec(world.profile([]));
      let { session } = await begin(spec);
      let unsure = 0;
      for (const [index, delay] of delays.entries()) {
        let turn = request(index * 100, `t${index} signal`);
        let running = session.turn(turn);
        // The last core lives long enough; before, a core is killed at most three times.
        for (const life of [delay, 700 - delay, delay / 2, Number.POSITIVE_INFINITY]) {
          const end = await orKilled(running, life);
          if (end !== null) {
            expect(end).toMatchObject({
              stopReason: 'end_turn',
              response: expect.stringMatching(/^answer to t/),
            });
            break;
          }
          world.nextCore();
          const again = await takeUp(spec, turn);
          session = again.session;
          if (again.turn?.kind === 'goes_on') running = again.turn.follow();
          else {
            // The interrupted prompt is sent as another turn, as the operator may choose. If a program has
            // printed nothing since Enter, no one knows whether it got the prompt, so it may get it again.
            if (again.turn?.kind === 'cut') turn = { ...turn, turnId: turn.turnId + 1 };
            if (again.turn?.kind === 'cut' && /when Enter was pressed/.test(again.turn.reason)) unsure += 1;
            running = session.turn(turn);
          }
        }
      }
      // One signal per entered prompt.
      const signals = readFileSync(join(noteOf(spec), '..', 'signals.jsonl'), 'utf8')
        .trim()
        .split('\n');
      expect(signals.length).toBeGreaterThanOrEqual(delays.length);
      expect(signals.length).toBeLessThanOrEqual(delays.length + unsure);
      await session.close();
    }),
    { numRuns: 1 },
  );
}, 180_000);

const orKilled = <T>(running: Promise<T>, afterMs: number): Promise<T | null> =>
  Number.isFinite(afterMs)
    ? Promise.race([running, new Promise<null>((resolve) => setTimeout(() => resolve(null), afterMs))])
    : running;
