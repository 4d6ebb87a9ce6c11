import type { RunEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { expect, test } from 'vitest';
import { turnScopes } from '../changes/scopes';
import { shownPanes, terminalToShow } from './panes';
import { whatHappens } from './prompt-outcome';
import { onlyOpenGate, rowKey, sessionRows, spentBy, workplaceOf } from './turns';

const steps = [
  { id: 'plan', title: 'Plan it', type: 't', config: {} },
  { id: 'build', type: 't', config: {} },
];
const references = { baseBranch: null, docsDir: '', inputs: {} };
const started = {
  type: 'run.started',
  uid: 'U',
  instruction: '',
  references,
  definition: { name: 'w', steps, cables: [] },
};
const activation = (activationId: number, stepId: string) => ({
  type: 'activation.started',
  activationId,
  stepId,
  attempt: 1,
  inputs: [],
});
const session = (sessionId: number, more: object = {}) => ({
  type: 'session.starting',
  sessionId,
  activationId: 1,
  profileId: 'w',
  model: null,
  mode: null,
  env: {},
  ...more,
});
const ready = (sessionId: number, resume = true) => ({
  type: 'session.ready',
  sessionId,
  providerSessionId: 'p',
  agent: 'A',
  cwd: '/w',
  fresh: true,
  notice: null,
  capabilities: { resume, cancel: true, permissions: true, images: false, embeddedFiles: false },
});
const turn = (turnId: number, more: object = {}) => ({
  type: 'turn.dispatched',
  turnId,
  sessionId: 1,
  activationId: 1,
  ordinal: 0,
  kind: 'primary',
  prompt: 'p',
  attachments: [],
  of: 1,
  resendOf: null,
  ...more,
});
const ended = (turnId: number, more: object = {}) => ({
  type: 'turn.finished',
  turnId,
  outcome: 'completed',
  stopReason: 'end_turn',
  response: 'ok',
  usage: null,
  commit: null,
  error: null,
  limitResetsAt: null,
  ...more,
});
const gate = (gateId: number, turnId: number | null, sessionId: number | null = 1) => ({
  type: 'gate.opened',
  gateId,
  activationId: 1,
  turnId,
  sessionId,
  kind: 'permission',
  options: [],
});
const prompt = (promptId: number) => ({
  type: 'prompt.queued',
  promptId,
  sessionId: 1,
  text: 'more',
  attachments: [],
  by: 'me',
});

function runOf(...events: object[]): RunState {
  const all = [started, activation(1, 'plan'), session(1), ...events];
  const state = replay(all.map((event, index) => ({ seq: index + 1, at: index, event: event as RunEvent })));
  if (state === null) throw new Error('no state');
  return state;
}
const one = (state: RunState) => {
  const found = state.sessions[1];
  if (!found) throw new Error('no session');
  return found;
};
const keys = (state: RunState) => sessionRows(state, one(state)).map((row) => row.key);
const said = (...events: object[]) => {
  const state = runOf(...events);
  return whatHappens(state, one(state));
};

test('the page shows the turns of one session, each with its gates, under the steps that it worked for', () => {
  const state = runOf(
    ready(1),
    session(2),
    gate(1, null),
    turn(1),
    gate(2, 1),
    gate(3, 2, 2),
    turn(2, { sessionId: 2 }),
    ended(1),
    activation(2, 'build'),
    turn(3, { activationId: 2, kind: 'reprompt', ordinal: 1, of: 2 }),
    gate(4, null),
  );
  expect(keys(state)).toEqual(['gate/1', 'step/1', 'turn/1', 'step/3', 'turn/3', 'gate/4']);
  const rows = sessionRows(state, one(state));
  expect(rows[1]).toMatchObject({ title: 'Plan it' });
  expect(rows[3]).toMatchObject({ title: 'build' });
  expect(rowKey(rows, 'gate', '2')).toBe('turn/1');
  expect(rowKey(rows, 'turn', '3')).toBe('turn/3');
  expect(rowKey(rows, 'turn', '2')).toBeNull();
});

test('the keys belong to a gate where it is the only one that waits', () => {
  expect(onlyOpenGate(runOf(turn(1), gate(1, 1), gate(2, 2, 2)), 1)).toBe(1);
  expect(onlyOpenGate(runOf(turn(1), gate(1, 1), gate(2, 1)), 1)).toBeNull();
});

test('the page counts the spend, and knows the folder of its own', () => {
  const usage = { input_tokens: 10, output_tokens: 2, total_tokens: null, cost_usd: 0.25 };
  const state = runOf(turn(1), ended(1, { usage }), turn(2), ended(2, { usage }), turn(3));
  expect(spentBy(state, one(state))).toEqual({ tokens: 24, usd: 0.5 });
  const own = runOf(
    { type: 'workspace.requested', workspaceId: 1, activationId: 1, lane: 'a', from: null },
    { type: 'workspace.ready', workspaceId: 1, path: '/own', branch: 'muster/own', baseCommit: null },
    session(1, { workspaceId: 1 }),
  );
  expect(workplaceOf(own, one(own))).toEqual({ path: '/own', branch: 'muster/own' });
});

test('the turns that changed files are listed, the last one first', () => {
  const changes = { before: 'a', after: 'b', files: 1, added: 3, removed: 0 };
  const state = runOf(
    ...[turn(1), ended(1, { changes }), turn(2), ended(2, { changes: { ...changes, files: 0 } })],
    ...[turn(3, { kind: 'operator' }), ended(3, { changes })],
  );
  expect(turnScopes(state, one(state))).toEqual([
    { value: 'turn/3', label: 'Your prompt (turn 3): +3 −0' },
    { value: 'turn/1', label: 'Prompt (turn 1): +3 −0' },
  ]);
});

test('the transcript stands beside the others where there is room for both', () => {
  const wide = { split: true, width: 1000 };
  expect(shownPanes({ ...wide, pane: 'changes' })).toEqual(['transcript', 'changes']);
  expect(shownPanes({ ...wide, pane: 'transcript' })).toEqual(['transcript']);
  expect(shownPanes({ ...wide, pane: 'terminals', width: 500 })).toEqual(['terminals']);
  expect(shownPanes({ ...wide, pane: 'terminals', split: false })).toEqual(['terminals']);
});

test('the composer says truthfully what will happen to a prompt', () => {
  const finished = { type: 'run.finished', outcome: 'succeeded', reason: null };
  expect(said(ready(1))).toEqual({ can: true, text: 'Sent immediately, in this session.' });
  expect(said().text).toBe('Sent as soon as the session is ready.');
  expect(said(ready(1), turn(1)).text).toBe('Sent when the running turn ends.');
  expect(said(ready(1), turn(1), gate(1, 1)).text).toBe(
    'Sent when the running turn ends, which waits for your answer.',
  );
  expect(said(ready(1), turn(1), prompt(1), prompt(2)).text).toBe('Sent after the 2 prompts above.');
  expect(said(ready(1), { type: 'session.closed', sessionId: 1 }, finished).text).toBe(
    'This reopens the finished run. Resumes the session with its whole conversation.',
  );
  expect(said(ready(1, false), { type: 'session.parked', sessionId: 1, reason: 'x' }).text).toBe(
    'The agent starts a new conversation in the same folder: it cannot resume the earlier one.',
  );
});

test('the composer says why nothing can be sent', () => {
  const failed = { type: 'session.failed', sessionId: 1, error: { code: 'agent.crashed', message: 'gone' } };
  expect(said(failed)).toEqual({ can: false, text: 'This session has failed: gone' });
  expect(said({ type: 'run.cancel-requested', by: 'me' }).can).toBe(false);
  expect(said({ type: 'run.binned', by: 'me' }).can).toBe(false);
});

test('the page goes on to show the terminal that may be typed into when another one begins', () => {
  const of = (...states: string[]) => states.map((state, index) => ({ name: `t${index}`, state }));
  const named = (terminals: ReturnType<typeof of>, chosen: string | null, shown: string | null) =>
    terminalToShow(terminals, { chosen, shown })?.name;
  expect(named(of('ended', 'running'), null, null)).toBe('t1');
  expect(named(of('running', 'running'), null, 't1')).toBe('t1');
  expect(named(of('running', 'ended'), null, 't1')).toBe('t0');
  expect(named(of('running', 'ended'), 't1', 't0')).toBe('t1');
  expect(named(of('ended', 'ended'), null, null)).toBe('t0');
  expect(named([], null, 't0')).toBeUndefined();
});
