import { expect, test } from 'vitest';
import { alikeOf, causeOf } from './cause';
import type { GateRow } from './procedures';

const option = (id: string) => ({ id, label: id, effect: '', tone: 'approve' as const });
const gate = (more: Partial<GateRow> = {}): GateRow => ({
  runId: 1,
  runName: 'night',
  gateId: 1,
  kind: 'login',
  status: 'open',
  projectName: 'shop',
  stepId: 'draft',
  stepTitle: 'Draft',
  agent: 'Claude',
  sessionId: null,
  title: 'claude is not logged in',
  message: 'Run: claude login',
  evidence: null,
  request: null,
  options: [option('resend')],
  why: null,
  openedAt: 1,
  closedAt: null,
  answer: null,
  by: null,
  snoozedUntil: null,
  ...more,
});
const request = (more: object = {}): GateRow['request'] => ({
  tool: 'bash',
  title: 'Run npm test',
  kind: 'execute',
  diffs: [],
  hash: 'h1',
  ...more,
});
const alike = (one: Partial<GateRow>, other: Partial<GateRow>): boolean =>
  causeOf(gate(one)) === causeOf(gate(other));

test('Questions with the same words have one cause, whichever member, step or run asks', () => {
  expect(
    alike(
      { kind: 'interrupted_turn', title: 'Draft: a turn was cut off', asker: { name: 'ana' }, evidence: 'x' },
      {
        kind: 'interrupted_turn',
        title: 'Review: a turn was cut off',
        stepTitle: 'Review',
        runName: 'other',
        runId: 2,
        evidence: 'y',
      },
    ),
  ).toBe(true);
  expect(
    alike(
      { title: 'ana is silent', asker: { name: 'ana' } },
      { title: 'ben is silent', asker: { name: 'ben' } },
    ),
  ).toBe(true);
  expect(alike({}, { agent: 'Codex' })).toBe(false);
  expect(alike({}, { message: 'Run: codex login' })).toBe(false);
  expect(alike({}, { kind: 'provider_limit' })).toBe(false);
});

test('Permission requests have one cause where tool and input are the same, in one project and not in the checkout', () => {
  const asked = (more: object, place: Partial<GateRow> = {}): Partial<GateRow> => ({
    kind: 'permission',
    request: request(more),
    ...place,
  });
  expect(alike(asked({}), asked({ title: 'Another title' }, { runId: 2, runName: 'other' }))).toBe(true);
  expect(alike(asked({}), asked({ hash: 'h2' }))).toBe(false);
  expect(alike(asked({}), asked({ own_checkout: true }))).toBe(false);
  expect(alike(asked({}), asked({}, { projectName: 'garden' }))).toBe(false);
});

test('A question about a text, a plan or a merge is the same only where what is decided on is the same', () => {
  for (const kind of ['approval', 'team_plan', 'merge', 'review_escalation', 'iteration_blocked'] as const) {
    expect(alike({ kind, evidence: 'one' }, { kind, evidence: 'one' })).toBe(true);
    expect(alike({ kind, evidence: 'one' }, { kind, evidence: 'two' })).toBe(false);
  }
  expect(alike({ options: [option('resend')] }, { options: [option('resend'), option('fail')] })).toBe(false);
});

test('Only open questions with a known cause are alike', () => {
  const rows = [
    gate({ gateId: 1, cause: 'a' }),
    gate({ gateId: 2, cause: 'b' }),
    gate({ gateId: 3, cause: 'a', status: 'resolved' }),
    gate({ gateId: 4, cause: 'a' }),
  ];
  const [first] = rows;
  if (first === undefined) throw new Error('no row');
  expect(alikeOf(rows, first).map(({ gateId }) => gateId)).toEqual([1, 4]);
  const { cause: _, ...unknown } = first;
  expect(alikeOf(rows, unknown)).toEqual([unknown]);
});
