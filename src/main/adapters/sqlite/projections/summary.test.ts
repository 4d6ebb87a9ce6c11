import type { RunEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { limitPurpose } from '@contract/run/status';
import { describe, expect, test } from 'vitest';
import { activation, activationEnd, gate, runEnd, session, started, turn, turnEnd } from '../testing/story';
import { summarise } from './summary';

function summaryAfter(...events: RunEvent[]) {
  const start = started({ uid: 'run', projectId: 1, steps: ['write', 'review', 'publish'] });
  const state = replay([start, ...events].map((event, index) => ({ seq: index + 1, at: index, event })));
  if (state === null) throw new Error('no state');
  return summarise(state);
}

const chain = { turnId: 2, ordinal: 2, of: 4, prompt: 'And now?' };

test('a run that has just started is preparing its workspace', () => {
  expect(summaryAfter()).toEqual({ status: 'running', stepsDone: 0, openGates: 0, now: null });
  expect(summaryAfter({ type: 'run.workspace-requested' }).now).toBe('Preparing the workspace');
});

describe('what works now', () => {
  const write = activation(1, 'write');
  const scope: RunEvent = { type: 'scope.opened', scope: 'write[1]', activationId: 1, index: 1, values: {} };
  test.each<[string, RunEvent[]]>([
    ['Step write: Working', [write]],
    ['Step write: Starting the agent', [write, session(1, 1)]],
    ['Step write: Prompt', [write, session(1, 1), turn({ turnId: 1, prompt: 'Write.' })]],
    ['Step write: Re-prompt 2/3', [write, session(1, 1), turn(chain)]],
    [
      'Step write: Re-prompt 2/3, and 1 more step',
      [write, session(1, 1), turn(chain), activation(2, 'review')],
    ],
    ['Waits for you: Approve the report', [write, gate(1, 1)]],
    ['Step review: Working, and 1 more step', [write, gate(1, 1), activation(2, 'review')]],
    ['Step write: Working, and 1 more step', [write, activation(2, 'review'), gate(1, 2)]],
    ['Step write: Working', [write, scope]],
    ['Step write 1 › draft: Working', [write, scope, activation(2, 'write[1]/draft')]],
    ['Waits for you: Approve the report', [write, scope, activation(2, 'write[1]/ok'), gate(1, 2)]],
  ])('the summary of a run says "%s"', (now, events) => {
    expect(summaryAfter(...events).now).toBe(now);
  });

  test('the summary of a run names a running command', () => {
    const command: RunEvent = {
      type: 'command.started',
      commandId: 1,
      activationId: 1,
      script: 'npm test',
      terminal: true,
      env: {},
      timeoutSeconds: null,
    };
    expect(summaryAfter(write, command).now).toBe('Step write: Command');
  });
});

test('a question that has only the name of its step is shown by the start of its message', () => {
  const asks = (message: string): RunEvent => ({ ...gate(1, 1), title: 'Step write', message }) as RunEvent;
  const now = (message: string) => summaryAfter(activation(1, 'write'), asks(message)).now;
  expect(now('\n## Is **it** good?\n\nPass 1 of 3 has ended.')).toBe('Waits for you: Is it good?');
  expect(now(' \n')).toBe('Waits for you: Step write');
  expect(now('long '.repeat(30))).toBe(`Waits for you: ${'long '.repeat(16).trim()}…`);
});

test("a turn at its provider's limit is shown as such until it is sent again", () => {
  const limited: RunEvent[] = [
    activation(1, 'write'),
    session(1, 1),
    turn({ turnId: 1, prompt: 'Write.' }),
    { ...turnEnd(1, ''), outcome: 'limit', limitResetsAt: 60_000 } as RunEvent,
    { type: 'timer.set', timerId: 1, activationId: 1, dueAt: 60_000, purpose: limitPurpose(1) },
  ];
  expect(summaryAfter(...limited)).toMatchObject({ status: 'running', now: 'Step write: Provider limit' });
  const again = { ...turn({ turnId: 2, prompt: 'Write.' }), resendOf: 1 } as RunEvent;
  expect(summaryAfter(...limited, { type: 'timer.fired', timerId: 1 }, again).now).toBe('Step write: Prompt');
});

test('another agent of the same step that works goes before one that asks', () => {
  const asks: RunEvent = { ...gate(1, 1), kind: 'permission', turnId: 1, sessionId: 1 } as RunEvent;
  const two: RunEvent[] = [
    activation(1, 'write'),
    session(1, 1),
    session(2, 1),
    turn({ turnId: 1, prompt: 'Write.' }),
    { ...turn({ turnId: 2, prompt: 'Check.' }), sessionId: 2, label: 'checker' } as RunEvent,
    ...[1, 2].map(
      (sessionId): RunEvent => ({
        type: 'session.ready',
        sessionId,
        agent: 'Fake',
        providerSessionId: null,
        cwd: '/work',
        notice: null,
        capabilities: { resume: true, cancel: true, permissions: true, images: false, embeddedFiles: false },
        fresh: true,
      }),
    ),
    asks,
  ];
  expect(summaryAfter(...two)).toMatchObject({ status: 'running', now: 'Step write: checker', openGates: 1 });
  const waits = summaryAfter(...two, { ...turnEnd(2, 'Checked.') });
  expect(waits).toMatchObject({ status: 'waiting', now: 'Waits for you: Approve the report' });
});

test('steps that ended well, were rejected or skipped count as done', () => {
  const ended = [activation(1, 'write'), activationEnd(1)];
  expect(summaryAfter(...ended).stepsDone).toBe(1);
  expect(summaryAfter(...ended, activation(2, 'review'), activationEnd(2, 'rejected')).stepsDone).toBe(2);
  expect(
    summaryAfter(...ended, {
      type: 'step.skipped',
      stepId: 'publish',
      reason: 'not needed',
      cause: 'condition',
    }).stepsDone,
  ).toBe(2);
});

test('steps that failed, were cancelled, sent back or begun again do not count as done', () => {
  for (const outcome of ['failed', 'cancelled', 'revised'] as const) {
    expect(summaryAfter(activation(1, 'write'), activationEnd(1, outcome)).stepsDone).toBe(0);
  }
  expect(summaryAfter(activation(1, 'write'), activationEnd(1), activation(2, 'write')).stepsDone).toBe(0);
});

test('a run with open gates that does nothing else waits', () => {
  const waiting = [activation(1, 'write'), gate(1, 1), gate(2, 1)];
  expect(summaryAfter(...waiting)).toMatchObject({ status: 'waiting', openGates: 2 });
  const answered: RunEvent = {
    type: 'gate.resolved',
    gateId: 1,
    answer: { option: 'approve' },
    by: 'operator',
  };
  expect(summaryAfter(...waiting, answered)).toMatchObject({ status: 'waiting', openGates: 1 });
});

test('a finished run does nothing now', () => {
  expect(summaryAfter(activation(1, 'write'), runEnd)).toMatchObject({ status: 'succeeded', now: null });
});

test('a run that failed and asks whether to go on is failed, and says what it asks', () => {
  const failed = activationEnd(1, 'failed');
  const asks: RunEvent = { ...gate(1, 1), kind: 'iteration_failed', title: 'loop: failed twice' } as RunEvent;
  const rows = [activation(1, 'write'), failed, asks];
  expect(summaryAfter(...rows)).toMatchObject({
    status: 'failed',
    openGates: 1,
    now: 'Question open: loop: failed twice',
  });
  expect(summaryAfter(...rows, runEnd).now).toBeNull();
});
