import type { ExecResult } from '@contract/sandbox/protocol';
import { describe, expect, test } from 'vitest';
import type { RlmEvent } from '../contract/events';
import { rlmFeature } from '../contract/feature';
import type { RlmState } from '../contract/state';
import { type LoopView, nextStep } from './next';

const marker = '0123456789abcdef0123456789abcdef';
const stored = { sha256: 'a', path: 'documents/0', chars: 1 };
const rules = { iterations: 3, outputChars: 100, feedback: 'per-block' } as const;
const texts = { continue: 'CONTINUE', codeRequired: 'CODE REQUIRED', lastCall: 'LAST CALL' };

const result = (more: Partial<ExecResult> = {}): ExecResult => ({
  stdout: '',
  stderr: '',
  dropped: 0,
  error: null,
  interrupted: false,
  final: null,
  variables: [],
  ...more,
});

const frozen: RlmEvent = {
  type: 'rlm.documents-frozen',
  activationId: 1,
  documents: [{ ...stored, name: 'a.txt' }],
  leftOut: [],
  marker,
};
const place = (turnId: number, block: number) => ({ activationId: 1, turnId, block });
const started = (turnId: number, block: number, code: string): RlmEvent => ({
  type: 'rlm.block-started',
  ...place(turnId, block),
  code,
});
const finished = (turnId: number, block: number, more: Partial<ExecResult> = {}): RlmEvent => ({
  type: 'rlm.block-finished',
  ...place(turnId, block),
  result: result(more),
  timedOut: false,
});

function folded(events: readonly RlmEvent[]): RlmState {
  const state = { rlm: {} as Record<number, RlmState>, spend: { tokens: 0, cost_usd: 0, untold: 0 } };
  for (const event of [frozen, ...events]) rlmFeature.reducerOf(event)?.(state, event, 0);
  const rlm = state.rlm[1];
  if (rlm === undefined) throw new Error('nothing was folded');
  return rlm;
}

const view = (responses: readonly string[], events: readonly RlmEvent[] = []): LoopView => ({
  state: folded(events),
  iterations: responses.map((response, index) => ({ turnId: index + 1, response })),
  rules,
  texts,
});

const TWO = '```repl\na = 1\n```\ntext\n```repl\nb = 2\n```';

describe('one iteration', () => {
  test('the blocks of an iteration run one after the other, also after an exception', () => {
    expect(nextStep(view([TWO]))).toEqual({ kind: 'block', turnId: 1, block: 0, code: 'a = 1' });
    expect(nextStep(view([TWO], [started(1, 0, 'a = 1')]))).toEqual({ kind: 'wait' });
    const failed = [started(1, 0, 'a = 1'), finished(1, 0, { error: 'NameError' })];
    expect(nextStep(view([TWO], failed))).toEqual({ kind: 'block', turnId: 1, block: 1, code: 'b = 2' });
  });

  test('each block of an iteration comes back as a message of its own, then the continue prompt', () => {
    const ran = [
      started(1, 0, 'a = 1'),
      finished(1, 0, { stdout: 'one\n', variables: ['a'] }),
      started(1, 1, 'b = 2'),
      finished(1, 1, { error: 'boom' }),
    ];
    const next = nextStep(view([TWO], ran));
    if (next.kind !== 'turn') throw new Error(next.kind);
    expect(next.last).toBe(false);
    expect(next.messages).toHaveLength(3);
    expect(next.messages[0]).toContain('Code executed:\n```python\na = 1\n```');
    expect(next.messages[0]).toContain('REPL variables: [a]');
    expect(next.messages[1]).toContain('ERROR: boom');
    expect(next.messages[2]).toBe('CONTINUE');
  });

  test('a reply without code and without an answer is asked for code', () => {
    expect(nextStep(view(['I think.']))).toEqual({ kind: 'turn', messages: ['CODE REQUIRED'], last: false });
  });

  test('a replaced sandbox is reported to the model, and so are variables that could not be brought back', () => {
    const lost: RlmEvent = { type: 'rlm.block-lost', ...place(1, 0), why: 'time' };
    const gone: RlmEvent = { type: 'rlm.variables-lost', activationId: 1, turnId: 1 };
    const said = (...events: RlmEvent[]) => {
      const next = nextStep(view(['```repl\na = 1\n```'], [started(1, 0, 'a = 1'), ...events]));
      return next.kind === 'turn' ? next.messages.join('\n') : next.kind;
    };
    expect(said(lost)).toContain('What that block did is undone');
    expect(said(gone, lost)).toContain('All variables that you made are gone');
    expect(said(finished(1, 0), gone)).toContain('All variables that you made are gone');
    expect(said(finished(1, 0))).not.toContain('sandbox was replaced');
  });
});

describe('the end', () => {
  test('an answer in a block ends the work before the blocks after it, and falsy answers count', () => {
    const ran = [started(1, 0, 'a = 1'), finished(1, 0, { final: { call: 'FINAL', text: '0' } })];
    const answer = { kind: 'answer', text: '0', partial: false, source: 'block' };
    expect(nextStep(view([TWO], ran))).toEqual(answer);
  });

  test('an answer in the text counts after its blocks have run', () => {
    const one = '```repl\na = 1\n```\nFINAL(It is done.)';
    expect(nextStep(view([one])).kind).toBe('block');
    const ran = [started(1, 0, 'a = 1'), finished(1, 0)];
    expect(nextStep(view([one], ran))).toMatchObject({
      kind: 'answer',
      text: 'It is done.',
      source: 'reply',
    });
    expect(nextStep(view(['PARTIAL(half of it)']))).toMatchObject({ text: 'half of it', partial: true });
  });

  test('a variable is read, and a missing one gets a hint, and the second FINAL with that word is the answer', () => {
    const asked = (turnId: number): RlmEvent => ({
      type: 'rlm.variable-requested',
      activationId: 1,
      turnId,
      name: 'Paris',
    });
    const read = (turnId: number, text: string | null): RlmEvent => ({
      type: 'rlm.variable-read',
      activationId: 1,
      turnId,
      name: 'Paris',
      text,
    });
    const reply = 'FINAL(Paris)';
    expect(nextStep(view([reply]))).toEqual({ kind: 'read', turnId: 1, name: 'Paris' });
    expect(nextStep(view([reply], [asked(1)]))).toEqual({ kind: 'wait' });
    expect(nextStep(view([reply], [asked(1), read(1, 'a value')]))).toMatchObject({ text: 'a value' });
    const hint = nextStep(view([reply], [asked(1), read(1, null)]));
    expect(hint.kind === 'turn' && hint.messages).toEqual([expect.stringContaining('`Paris`'), 'CONTINUE']);
    const again = [asked(1), read(1, null), asked(2), read(2, null)];
    expect(nextStep(view([reply, reply], again))).toMatchObject({ kind: 'answer', text: 'Paris' });
  });

  test('the limit of iterations brings one last call, whose reply is the answer', () => {
    const think = 'I think.';
    expect(nextStep(view([think, think, think]))).toEqual({
      kind: 'turn',
      messages: ['LAST CALL'],
      last: true,
    });
    expect(nextStep(view([think, think, think, 'My best guess.']))).toEqual({
      kind: 'answer',
      text: 'My best guess.',
      partial: true,
      source: 'limit',
    });
    const code = '```repl\nmore()\n```\nFINAL(best)';
    expect(nextStep(view([think, think, think, code]))).toMatchObject({ text: 'best', source: 'limit' });
  });

  test('a last reply that is more code, or nothing, is no answer: the question fails with the reason', () => {
    const think = 'I think.';
    const more = 'Let me look:\n```repl\nmore()\n```';
    for (const last of [more, more.slice(0, -4), ' \n'])
      expect(nextStep(view([think, think, think, last]))).toMatchObject({
        kind: 'fail',
        error: { code: 'step.max_iterations', message: expect.stringMatching(/^All 3 iterations were used/) },
      });
  });
});

test('answers of sub-calls are sorted into their places, whatever their order', () => {
  const answer = (index: number): RlmEvent => ({
    type: 'rlm.call-answered',
    ...place(1, 0),
    batch: 0,
    index,
    prompt: stored.sha256,
    ok: true,
    answer: { ...stored, path: `calls/${index}` },
    model: 'm',
    usage: null,
    durationMs: 5,
  });
  const open = { prompt: stored, answer: null };
  const { blocks } = folded([
    started(1, 0, 'x'),
    { type: 'rlm.calls-asked', ...place(1, 0), batch: 0, calls: [open, open] },
    answer(1),
  ]);
  expect(blocks[0]?.batches[0]?.calls.map(({ answer: given }) => given?.answer.path ?? null)).toEqual([
    null,
    'calls/1',
  ]);
});
