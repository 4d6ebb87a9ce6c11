import type { DeliveryKind } from '@areas/deliveries/contract/target';
import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { keyText } from '@contract/run/keys';
import { afterEach, expect, test } from 'vitest';
import {
  activation,
  activationEnd,
  gate,
  started,
  Teller,
  update,
} from '../../adapters/sqlite/testing/story';
import type { Sending } from '../../core/ports/store/deliveries';
import { OutboxStage } from '../testing/outbox-stage';

let stage: OutboxStage | null = null;
afterEach(() => stage?.end());

const NAME = 'Loop: ralph/x';

/** A run of one step whose activation has begun, and a target that accepts everything or is unreachable. */
async function begun({ type = 'step.ralph', uid = '01LOOP' } = {}) {
  const sent: Sending[] = [];
  const world = { away: false };
  const made = new OutboxStage(['hook'], async (_target, sending) => {
    if (world.away)
      return err({
        error: appError('unavailable', 'Away.'),
        concerns: 'target',
        again: true,
        afterMs: null,
      });
    sent.push(sending);
    return ok({ receipt: 'taken' });
  });
  stage = made;
  await made.start();
  const teller = new Teller(made.store, made.clock.now());
  const [project] = made.store.projects();
  const first = started({ uid, projectId: project?.id ?? 1, name: 'night', steps: ['loop'] });
  const [step] = first.definition.steps;
  if (step === undefined) throw new Error('no step');
  first.definition.steps = [{ ...step, type, title: NAME }];
  const tell = async (...events: RunEvent[]): Promise<void> => {
    const told = await teller.tell(...events);
    if (!told.ok) throw new Error(told.error.message);
    made.outbox.posted();
    await made.pass(100);
  };
  await tell(first, activation(1, 'loop'));
  const sends = (...kinds: DeliveryKind[]) => {
    made.targets = made.targets.map((one) => ({ ...one, sends: kinds }));
    made.outbox.settingsChanged();
  };
  const rows = () => made.store.deliveries({ limit: 100 }).rows;
  return { stage: made, tell, sent, world, sends, rows };
}

const asked = (gateId = 1): RunEventOf<'gate.opened'> => {
  const opened = gate(gateId);
  if (opened.type !== 'gate.opened') throw new Error('no gate');
  return {
    ...opened,
    kind: 'iteration_blocked',
    title: `${NAME}: blocked at US-002`,
    message: 'The worker of iteration 2 of 5 cannot go on by itself.',
    evidence:
      'Iteration 2/5\nStory: US-002 - Card payment\nResult: blocked\nCommit: none\nSummary: Which card?',
    options: [
      { id: 'continue', label: 'Continue', effect: 'A new worker begins.', tone: 'approve' },
      { id: 'stop', label: 'Stop the loop', effect: 'The loop ends here.', tone: 'reject' },
    ],
  };
};
const resolved = (gateId = 1): RunEvent => ({
  type: 'gate.resolved',
  gateId,
  answer: { option: 'continue' },
  by: 'operator',
});

test('a question of a loop is delivered in words, with the story and what can be answered', async () => {
  const { sent, tell } = await begun();
  await tell(asked());
  expect(sent).toMatchObject([{ key: 'muster:01LOOP:3:hook', content: { kind: 'question' } }]);
  expect(sent[0]?.text).toBe(
    [
      'Loop "ralph/x" needs your answer: blocked at US-002',
      'night · sample',
      '',
      'The worker of iteration 2 of 5 cannot go on by itself.',
      '',
      'Iteration 2/5\nStory: US-002 - Card payment\nResult: blocked\nCommit: none\nSummary: Which card?',
      '',
      'Answers:',
      '- Continue: A new worker begins.',
      '- Stop the loop: The loop ends here.',
      'It waits in the inbox as 1/1.',
    ].join('\n'),
  );
});

test('a question in a terminal is delivered with the end of its screen, where the question is', async () => {
  const { sent, tell } = await begun();
  const screen = `${'drawn before\n'.repeat(500)}rm -r build? (y/n)`;
  await tell({ ...asked(), kind: 'terminal_question', title: 'A waits', evidence: screen });
  expect(sent[0]?.text).toContain('rm -r build? (y/n)\n\nAnswers:');
  expect(sent[0]?.text.length).toBeLessThan(3_000);
  expect(sent[0]?.content).toMatchObject({
    question: { evidence: expect.stringMatching(/^… [\s\S]*rm -r build\? \(y\/n\)$/) },
  });
});

test('the wait for a limit and the end of a loop or team are delivered, those of other steps are not', async () => {
  const { stage, sent, tell } = await begun({ type: 'step.team' });
  const timer = (timerId: number, purpose: string): RunEvent => ({
    type: 'timer.set',
    timerId,
    activationId: 1,
    purpose,
    dueAt: stage.clock.now() + 3_600_000,
  });
  await tell(timer(1, keyText(['team.rest', 1])), timer(2, keyText(['turn.limit', 1])));
  const end = activationEnd(1, 'failed');
  if (end.type !== 'activation.finished') throw new Error('no end');
  await tell({
    ...end,
    receipt: { members: 3, merged: 1, failed: 2 },
    error: appError('step.failed', 'no member is left', { mend: 'start the team again' }),
  });
  expect(sent.map(({ content: { kind }, text }) => [kind, text])).toEqual([
    ['wait', expect.stringContaining('Team "ralph/x" waits for its provider’s limit until 20')],
    [
      'end',
      'Team "ralph/x" has failed.\nnight · sample\n3 members, 1 merged, 2 failed.\nNo member is left.\nWhat you can do: Start the team again.',
    ],
  ]);
  await stage.end();

  const plain = await begun({ type: 'step.agent_task' });
  await plain.tell(asked(), activationEnd(1));
  expect(plain.sent).toEqual([]);
});

test('a target gets the kinds that it is set to', async () => {
  const { sends, sent, tell } = await begun();
  sends('ends');
  await tell(asked(), update('one'));
  sends('updates', 'questions');
  await tell(update('two'), asked(2));
  await tell(resolved(), resolved(2), activationEnd(1));
  expect(sent.map(({ content: { kind } }) => kind)).toEqual(['update', 'question']);
  sends('ends');
  await tell({ type: 'run.resumed', by: 'operator', activationIds: [1] }, activationEnd(1));
  expect(sent.map(({ content: { kind } }) => kind)).toEqual(['update', 'question', 'end']);
});

test('a question that was answered before it could be sent is not sent, and says so', async () => {
  const { stage, tell, sent, world, rows } = await begun();
  world.away = true;
  await tell(asked());
  world.away = false;
  await tell(resolved());
  await stage.pass(3_600_000);
  expect(sent).toEqual([]);
  expect(rows()).toMatchObject([
    { subject: 'question', state: 'obsolete', receipt: expect.stringContaining('answered') },
  ]);
});

test('a delivery that was on its way in a crash is sent again with the same key and the same token', async () => {
  const { stage, tell, sent, world } = await begun();
  const offered: number[] = [];
  stage.offer = async (_target, _gate, { queuedAt }) => {
    offered.push(queuedAt);
    return {
      url: 'http://127.0.0.1:1/answers',
      token: `T${queuedAt}`,
      expires: 'later',
      options: ['continue'],
    };
  };
  world.away = true;
  await tell(asked());
  await stage.restart('crash');
  world.away = false;
  await stage.pass(3_600_000);
  expect(sent).toMatchObject([
    { key: 'muster:01LOOP:3:hook', content: { question: { answer: { token: `T${offered[0]}` } } } },
  ]);
  expect(offered.length).toBeGreaterThan(1);
  expect(new Set(offered).size).toBe(1);
});

test('a target that repeats the token in its answer does not bring it into the database', async () => {
  const secret = 'muster1.secret';
  const made = new OutboxStage(['hook'], async () => ok({ receipt: `HTTP 200: ${secret}` }));
  stage = made;
  made.offer = async () => ({ url: 'http://127.0.0.1:1/answers', token: secret, expires: 'x', options: [] });
  await made.start();
  const teller = new Teller(made.store, made.clock.now());
  const first = started({ uid: '01LOOP', projectId: made.store.projects()[0]?.id ?? 1, steps: ['loop'] });
  const [step] = first.definition.steps;
  if (step) first.definition.steps = [{ ...step, type: 'step.ralph' }];
  await teller.tell(first, activation(1, 'loop'), asked());
  made.outbox.posted();
  await made.pass(100);
  const { rows } = made.store.deliveries({ limit: 10 });
  expect(rows).toMatchObject([{ state: 'delivered', receipt: 'HTTP 200: (answer token)' }]);
  expect(JSON.stringify(rows)).not.toContain(secret);
});
