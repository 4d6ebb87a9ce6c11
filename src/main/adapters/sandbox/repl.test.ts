import type { FromRepl, SubPrompt, ToRepl } from '@contract/sandbox/protocol';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SANDBOX_START_MS } from '../../limits/core';
import type { ReplLine } from './line';
import { Repl } from './repl';

/** A REPL's process that sends what the test wants. */
class FakeLine implements ReplLine {
  readonly pid = 1;
  readonly confinement = { osSandbox: true, detail: 'fake' };
  readonly posted: ToRepl[] = [];
  closed = false;
  #hear: (message: unknown) => void = () => undefined;

  post(message: ToRepl): void {
    this.posted.push(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#hear = listener;
  }

  onGone(): void {}

  async close(): Promise<void> {
    this.closed = true;
  }

  say(message: unknown): void {
    this.#hear(message);
  }

  /** The id of the running block. */
  get exec(): string {
    return this.posted.flatMap((one) => (one.kind === 'exec' ? [one.id] : [])).at(-1) ?? '';
  }
}

const settings = { outputChars: 100, subcallChars: 50, batchSize: 3 };
const result = {
  stdout: 'out',
  stderr: '',
  dropped: 0,
  error: null,
  interrupted: false,
  final: null,
  variables: [],
};
const prompts = (count: number, instruction = 'x'): SubPrompt[] =>
  Array.from({ length: count }, () => ({ instruction, content: '' }));

function running() {
  const line = new FakeLine();
  const repl = new Repl(line, settings);
  const ask = vi.fn(async (asked: readonly SubPrompt[]) => asked.map(() => ({ ok: true, text: 'answer' })));
  const end = repl.exec('code', { seconds: 60, ask });
  const call = (more: Partial<Extract<FromRepl, { kind: 'call' }>> = {}) => ({
    kind: 'call',
    exec: line.exec,
    call: 1,
    prompts: prompts(1),
    ...more,
  });
  return { line, repl, ask, end, call };
}

describe('messages of a REPL that are not trusted', () => {
  test.each([
    ['no object', 'done'],
    ['an unknown kind', { kind: 'eval', code: '1' }],
    ['a result without its parts', { kind: 'done', id: 'x', result: {} }],
    ['a result of other types', { kind: 'done', id: 'x', result: { ...result, stdout: 7 } }],
    ['nothing', null],
  ])('a message with %s ends the REPL', async (_, message) => {
    const { line, end } = running();
    line.say(message);
    expect(await end).toEqual({ kind: 'lost', reason: 'misbehaved' });
    expect(line.closed).toBe(true);
  });

  test('a flood of messages ends the REPL', async () => {
    const { line, end } = running();
    for (let sent = 0; sent <= 20_000; sent += 1) line.say({ kind: 'taken', id: 'x', error: null });
    expect(await end).toEqual({ kind: 'lost', reason: 'misbehaved' });
  });

  test('a result of another block does not end the running one', async () => {
    const { line, end } = running();
    line.say({ kind: 'done', id: 'forged', result: { ...result, stdout: 'forged' } });
    line.say({ kind: 'done', id: line.exec, result });
    expect(await end).toMatchObject({ kind: 'done', result: { stdout: 'out' } });
  });

  test('sub-calls of another block, and a second one while the first is open, are not asked', async () => {
    const { line, ask, end, call } = running();
    line.say(call({ exec: 'forged' }));
    expect(ask).not.toHaveBeenCalled();
    line.say(call());
    line.say(call({ call: 2 }));
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(line.posted.at(-1)).toMatchObject({ kind: 'reply', call: 1 }));
    line.say({ kind: 'done', id: line.exec, result });
    await end;
  });

  test.each([
    ['a larger batch than allowed', prompts(4)],
    ['no sub-call at all', []],
    ['a longer sub-call than allowed', prompts(1, 'x'.repeat(51))],
  ])(
    'a message with %s, which its own Python would have refused, ends the REPL and asks nothing',
    async (_, asked) => {
      const { line, ask, end, call } = running();
      line.say(call({ prompts: asked }));
      expect(await end).toEqual({ kind: 'lost', reason: 'misbehaved' });
      expect(ask).not.toHaveBeenCalled();
    },
  );

  test('a page that never gets ready is given up, and its process ended', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const line = new FakeLine();
    const began = new Repl(line, settings).begin();
    await vi.advanceTimersByTimeAsync(SANDBOX_START_MS);
    expect(await began).toBeNull();
    expect(line.closed).toBe(true);
  });

  test('a page that is not isolated from others has not started', async () => {
    const line = new FakeLine();
    const began = new Repl(line, settings).begin();
    line.say({ kind: 'ready', python: '3.14', isolated: false });
    expect(await began).toBeNull();
  });
});
