import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { pause } from './program/program';
import { CliWorld } from './testing/world';

const world = new CliWorld();
beforeAll(() => world.start());
afterEach(() => world.leave());
afterAll(() => world.stop());

const READ = 'The response was read from the screen of the terminal.';

test('opencode does not start in a terminal, and the agent that takes its place is named', async () => {
  await expect(world.open([], { profile: { preset: 'opencode' } })).rejects.toThrow(
    /agent\.refused.*use the agent opencode, which speaks the Agent Client Protocol/,
  );
});

describe('a program in a terminal', { timeout: 120_000 }, () => {
  test('a program in a terminal is typed to, and its own signal ends the turn with its own words', async () => {
    const { session, turn, items } = await world.open();
    expect(session.ready).toMatchObject({ agent: 'Fake', fresh: true, notice: null });
    expect(await turn('first say:one signal')).toMatchObject({
      outcome: 'completed',
      stopReason: 'end_turn',
      response: 'answer to first',
      error: null,
    });
    expect(await turn('second turns signal')).toMatchObject({ response: 'answer to second' });
    await vi.waitFor(() => expect(world.output()).toContain('turns=2'), 30_000);
    expect(items).toEqual([
      { type: 'text', text: 'answer to first' },
      { type: 'text', text: 'answer to second' },
    ]);
    await session.close();
  });

  test('a program in a terminal gets the variables of its run in its environment', async () => {
    const { session, turn } = await world.open([], { spec: { env: { ARTIFACTS_DIR: '/run/files' } } });
    await turn('env:ARTIFACTS_DIR signal');
    await vi.waitFor(() => expect(world.output()).toContain('ARTIFACTS_DIR=/run/files'), 30_000);
    await session.close();
  });

  test('a program in a terminal keeps the helper and the signals to this user, and heeds no line of another token', async () => {
    const folder = join(world.folder, 'artifacts', 'terminals', `s${world.lastSession + 1}-0.agent`);
    const { session, turn } = await world.open([], { spec: { env: { BOX: join(folder, 'signals.jsonl') } } });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await turn('x forged say:real')).toMatchObject({ stopReason: 'idle', response: 'real' });
    await session.close();
  });

  test('a program in a terminal gets a prompt of several lines as one, and no control character of it', async () => {
    const { session, turn } = await world.open();
    const result = await turn('say:a\nlines\n\x1b[201~\rsay:b signal');
    expect(result).toMatchObject({ outcome: 'completed' });
    await vi.waitFor(() => expect(world.output()).toContain('lines=4'), 30_000);
    await session.close();
  });

  test('a prompt without bracketed paste becomes one line, and that is said', async () => {
    const { session, turn, notices } = await world.open(['--no-paste']);
    expect(await turn('say:a\nlines\nsignal')).toMatchObject({ outcome: 'completed' });
    await vi.waitFor(() => expect(world.output()).toContain('lines=1'), 30_000);
    expect(notices()).toEqual(['Fake takes single lines only: line breaks became spaces.']);
    await session.close();
  });

  test('a program that reports a limit in the place of a response has not completed its turn', async () => {
    const { session, turn } = await world.open();
    expect(await turn('first limited')).toMatchObject({
      outcome: 'limit',
      limitResetsAt: expect.any(Number),
      error: { code: 'agent.limit' },
    });
    expect(await turn('second signal')).toMatchObject({ outcome: 'completed' });
    await session.close();
  });

  test('a program to which nothing was typed yet is not sent the key that interrupts', async () => {
    const { session, turn, notices } = await world.open(['--ask-first']);
    const asks = () => notices().filter((text) => text.includes('waits for an answer in its terminal'));
    const first = turn('first signal');
    await vi.waitFor(() => expect(asks()).toHaveLength(1), 30_000);
    await session.cancel();
    expect(await first).toMatchObject({ outcome: 'cancelled' });
    const second = turn('second signal');
    await vi.waitFor(() => expect(asks()).toHaveLength(2), 30_000);
    world.type('y');
    expect(await second).toMatchObject({ response: 'answer to second' });
    await session.close();
  });

  test('a program that puts a cancelled prompt back into its input is sent the next prompt without it', async () => {
    const command = join(world.folder, 'codex');
    const fake = join(import.meta.dirname, 'testing', 'fake-program.mjs');
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${fake}' --codex "$@"\n`, { mode: 0o755 });
    const { session, turn } = await world.open([], {
      profile: { preset: 'codex', command, args: [], sentinel: '==DONE==' },
    });
    const first = turn('first say:begun\nquiet');
    await vi.waitFor(() => expect(world.output()).toContain('\nbegun'), 30_000);
    await session.cancel();
    expect(await first).toMatchObject({ outcome: 'cancelled' });
    expect(await turn('second lines done')).toMatchObject({ outcome: 'completed' });
    await vi.waitFor(() => expect(world.output()).toMatch(/lines=\d/), 30_000);
    expect(world.output()).toContain('lines=1');
    await session.close();
  });

  test('a program ends its turn by its own conversation, not by that of an agent which it has started', async () => {
    const { session, turn } = await world.open([], { limits: { idleMs: 60_000 } });
    const nested = 'tells:prompted,nested tells:ended,nested';
    expect(await turn(`x tells:prompted,own ${nested} say:and_on tells:ended,own`)).toMatchObject({
      stopReason: 'end_turn',
      response: 'answer of own',
    });
    expect(await turn('first signal')).toMatchObject({ response: 'answer to first' });
    await session.close();
  });

  test('a program does not count as done, nor as stalled, because the machine slept', async () => {
    const limits = { idleMs: 600_000, stallMs: 600_000 };
    const { session, turn, observed } = await world.open([], { limits, profile: { silence_minutes: 30 } });
    const end = turn('first say:begun wait:awake signal');
    await vi.waitFor(() => expect(world.output()).toContain('\nbegun'), 30_000);
    world.sleep(8 * 3_600_000);
    await vi.waitFor(() => expect(world.looks).toBeGreaterThan(60), 30_000);
    writeFileSync(join(world.folder, 'awake'), '');
    expect(await end).toMatchObject({ stopReason: 'end_turn', response: 'answer to first' });
    expect(observed.map(({ state }) => state)).not.toContain('stalled');
    await session.close();
  });

  test('a program that reports nothing is read from its screen, and the guess is called one', async () => {
    const { session, turn, notices } = await world.open();
    const result = await turn('x say:the_answer say:is_42');
    expect(result).toMatchObject({ outcome: 'completed', stopReason: 'idle', response: 'the answer\nis 42' });
    expect(notices().slice(-2)).toEqual([
      expect.stringMatching(/^The end of the turn is a guess: Fake .*for \d+ s\.$/),
      READ,
    ]);
    await session.close();
  });

  test('a program ends a turn at the sentinel of its profile', async () => {
    const { session, turn, notices } = await world.open([], { profile: { sentinel: '==DONE==' } });
    expect(await turn('x say:fine done quiet')).toMatchObject({ stopReason: 'sentinel', response: 'fine' });
    expect(notices()).toEqual([READ]);
    await session.close();
  });

  test("a program's echo of a prompt that names its sentinel is not taken for the end", async () => {
    const { session, turn } = await world.open([], { profile: { sentinel: '==DONE==', idle_seconds: 60 } });
    const long = 'and then '.repeat(20);
    const result = turn(`x print ==DONE== when finished, ${long} ==DONE== wait:finished say:fine done quiet`);
    await vi.waitFor(() => expect(world.output()).toContain('say:fine'), 30_000);
    expect(await Promise.race([result, pause(1500)])).toBeUndefined();
    writeFileSync(join(world.folder, 'finished'), '');
    expect(await result).toMatchObject({ stopReason: 'sentinel', response: 'fine' });
    await session.close();
  });

  test('a busy process below a program keeps its turn open', async () => {
    const { session, turn } = await world.open([], { limits: { idleMs: 600 } });
    const result = turn('x say:begun work');
    const early = await Promise.race([
      result,
      new Promise((resolve) => setTimeout(() => resolve('open'), 2500)),
    ]);
    expect(early).toBe('open');
    await session.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled', stopReason: 'cancelled' });
    expect(await turn('again signal')).toMatchObject({ response: 'answer to again' });
    await session.close();
  });

  test('a program whose processes were not seen for a while is looked at again before its turn ends as idle', async () => {
    const { session, turn } = await world.open([], { limits: { idleMs: 600 } });
    const looks = world.points.hold('terminal.activity', { skip: 1, inOrder: true });
    const result = turn('x say:begun work');
    await vi.waitFor(() => expect(world.output()).toContain('begun'));
    await looks.reached;
    world.sleep(800);
    await vi.waitFor(() => expect(world.looks).toBeGreaterThan(100));
    looks.release();
    const looked = world.points.hold('terminal.activity', { skip: 3 });
    await Promise.race([looked.reached, result]);
    looked.release();
    await session.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled' });
    await session.close();
  });

  test('a program waits while it asks the operator, and says so', async () => {
    const { session, turn, notices, observed } = await world.open([], { limits: { idleMs: 600 } });
    const result = turn('x ask signal');
    await vi.waitFor(() => expect(world.output()).toContain('Overwrite'), 30_000);
    await vi.waitFor(
      () => expect(notices()).toEqual([expect.stringMatching(/^Fake waits for an answer .*\(y\/n\)$/s)]),
      30_000,
    );
    const early = await Promise.race([
      result,
      new Promise((resolve) => setTimeout(() => resolve('open'), 1500)),
    ]);
    expect(early).toBe('open');
    expect(observed.at(-1)).toMatchObject({ state: 'waits', screen: expect.stringMatching(/\(y\/n\)$/) });
    world.type('y');
    expect(await result).toMatchObject({ outcome: 'completed', response: 'answer to x' });
    await session.close();
  });

  test('a program is seen to work again once it was answered, also where it prints without a pause', async () => {
    const { session, turn, observed } = await world.open([], { profile: { idle_seconds: 60 } });
    const result = turn('x ask spin:2000 signal');
    await vi.waitFor(() => expect(observed.at(-1)?.state).toBe('waits'), 30_000);
    world.type('y');
    await vi.waitFor(() => expect(observed.at(-1)?.state).toBe('working'), 30_000);
    expect(await result).toMatchObject({ response: 'answer to x' });
    await session.close();
  });

  test('a program without a sign of life is not known to work, with when and why', async () => {
    const { session, turn, observed } = await world.open([], { profile: { idle_seconds: 60 } });
    const result = turn('x quiet');
    await vi.waitFor(() => expect(observed.at(-1)?.state).toBe('unknown'), 30_000);
    expect(observed.at(-1)).toMatchObject({
      since: expect.any(Number),
      reason: expect.stringMatching(/^no activity since /),
      screen: null,
    });
    await session.cancel();
    await result;
    await session.close();
  });

  test('a program that heeds no interrupt is ended with all that it started', async () => {
    const { session, turn, lost } = await world.open();
    const result = turn('x deaf quiet');
    await vi.waitFor(() => expect(world.output()).toContain('deaf quiet'), 30_000);
    await session.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled' });
    await session.close();
    expect(lost.length).toBeLessThanOrEqual(1);
    expect(living(world)).toEqual([]);
  });

  test('a program that dies in mid-turn is a crash with its last words, and the session is lost', async () => {
    const { turn, lost } = await world.open();
    expect(await turn('x say:bye exit:3')).toMatchObject({
      outcome: 'failed',
      stopReason: 'crashed',
      error: { code: 'agent.crashed', message: expect.stringMatching(/exited with code 3[\s\S]*bye/) },
    });
    await vi.waitFor(() => expect(lost).toEqual(['The program exited with code 3.']), 30_000);
    expect(await turn('more')).toMatchObject({ outcome: 'failed', error: { code: 'agent.crashed' } });
  });

  test('a program that ends well after its answer has answered', async () => {
    const { turn } = await world.open();
    expect(await turn('x say:all_done exit:0')).toMatchObject({
      outcome: 'completed',
      stopReason: 'exited',
      response: 'all done',
    });
  });

  test('a program that floods does not block its session', async () => {
    const { session, turn } = await world.open([], { profile: { sentinel: '==DONE==' } });
    expect(await turn('x flood done')).toMatchObject({ outcome: 'completed', stopReason: 'sentinel' });
    await session.close();
  });

  test('a program counts as stalled after the limit of its profile, and its turn goes on until the operator ends it', async () => {
    const more = { profile: { silence_minutes: 0.02, idle_seconds: 60 }, limits: { cancelMs: 300 } };
    const { session, turn, observed } = await world.open([], more);
    const end = turn('x quiet');
    await vi.waitFor(() => expect(observed.map(({ state }) => state)).toContain('stalled'), 30_000);
    expect(observed.find(({ state }) => state === 'stalled')?.reason).toMatch(/^no activity/);
    await session.cancel();
    expect(await end).toMatchObject({ outcome: 'cancelled', error: null });
    await session.close();
  });
});

describe('a start', { timeout: 120_000 }, () => {
  test('a start that fails shows the screen, and how to log in', async () => {
    const spec = world.spec(world.profile(['--die-first'], { login_command: 'fake login' }));
    const opened = await world.agent().open(spec, silent);
    expect(opened).toMatchObject({
      ok: false,
      error: { code: 'agent.auth_required', mend: 'Log in with: fake login' },
    });
  });

  test('a start that is cancelled is given up, and its program ended', async () => {
    const pidFile = join(world.folder, 'silent.pid');
    const profile = world.profile([], {
      command: '/bin/sh',
      args: ['-c', `echo $$ > ${pidFile}; sleep 600`],
    });
    let giveUp: () => void = () => undefined;
    const unwanted = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const opened = world.agent({ startMs: 20_000 }).open(world.spec(profile, { unwanted }), silent);
    await vi.waitFor(() => expect(readFileSync(pidFile, 'utf8')).toMatch(/\d+\n/), 30_000);
    giveUp();
    expect(await opened).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(existsSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}`)).toBe(false);
  });

  test('a start of a program that is not installed says so', async () => {
    const spec = world.spec(world.profile([], { command: 'no-such-agent' }));
    expect(await world.agent().open(spec, silent)).toMatchObject({
      ok: false,
      error: { code: 'agent.not_installed' },
    });
  });

  test('a start that asks something waits for the operator, also with the first turn', async () => {
    const { session, turn, notices } = await world.open(['--ask-first']);
    expect(session.ready.notice).toMatch(/^Fake waits for an answer in its terminal:\n.*trust the files/);
    const result = turn('x signal');
    await vi.waitFor(
      () => expect(notices()).toEqual([expect.stringMatching(/^Fake waits for an answer/)]),
      30_000,
    );
    world.type('y');
    expect(await result).toMatchObject({ outcome: 'completed', response: 'answer to x' });
    await session.close();
  });

  test('a start takes up the conversation that the agent named, else says that it begins again', async () => {
    const profile = { resume_args: ['--resume', '{session}'] };
    const first = await world.open([], { profile });
    await first.turn('x signal');
    const sessionId = world.lastSession;
    await first.session.park();
    const resume = { providerSessionId: null, turns: [] };
    const again = await world.open([], { profile, spec: { sessionId, resume } });
    expect(again.session.ready).toMatchObject({ fresh: false, notice: null });
    await again.turn('x resumed signal');
    await vi.waitFor(() => expect(world.output(sessionId)).toContain('resumed=conversation-1'), 30_000);
    await again.session.close();

    const unknown = { providerSessionId: 'unknown', turns: [] };
    const second = await world.open([], { profile, spec: { resume: unknown } });
    expect(second.session.ready).toMatchObject({
      fresh: true,
      notice: expect.stringMatching(/starts a new conversation: .*no such conversation/s),
    });
    await second.session.close();
  });

  test("a start is refused in the operator's own checkout where nothing makes the agent ask before it writes", async () => {
    const spec = { ownCheckout: true };
    await expect(world.open([], { profile: { permissions: 'allow_all' }, spec })).rejects.toThrow(
      /agent\.refused.*let it work in a worktree/,
    );
    await expect(world.open([], { profile: { read_only: true }, spec })).rejects.toThrow('agent.refused');
  });

  test('a start leaves nothing behind', async () => {
    const { session } = await world.open();
    await session.close();
    // A killed process is listed until it has left.
    await expect.poll(() => living(world)).toEqual([]);
  });
});

const silent = {
  items: () => undefined,
  permission: async () => ({ allow: false, always: false, reason: null }),
  lost: () => undefined,
};

/** Living fake programs of this world. */
function living({ folder }: CliWorld): string[] {
  const rows = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes('fake-program.mjs') && row.includes(folder));
}
