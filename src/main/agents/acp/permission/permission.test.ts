import { expect, test } from 'vitest';
import { canonicalJson, chooseOption, decideByPolicy } from './permission';

const option = (kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always') => ({
  optionId: kind,
  name: kind,
  kind,
});
const all = (['allow_always', 'reject_always', 'reject_once', 'allow_once'] as const).map(option);
const chosen = (optionId: string) => ({ outcome: 'selected', optionId });
const answer = (allow: boolean, always = false) => ({ allow, always, reason: null });

test('an answer takes the option that says the same', () => {
  expect(chooseOption(all, answer(true))).toEqual(chosen('allow_once'));
  expect(chooseOption(all, answer(true, true))).toEqual(chosen('allow_always'));
  expect(chooseOption(all, answer(false))).toEqual(chosen('reject_once'));
  expect(chooseOption([option('reject_always')], answer(false))).toEqual(chosen('reject_always'));
  expect(chooseOption([option('allow_once')], answer(true, true))).toEqual(chosen('allow_once'));
});

test('a single answer never becomes a lasting one, nor a refusal a permission', () => {
  expect(chooseOption([option('allow_always')], answer(true))).toEqual({ outcome: 'cancelled' });
  expect(chooseOption([option('allow_once')], answer(false))).toEqual({ outcome: 'cancelled' });
});

test('equal values are written as equal texts, whatever the order of their keys', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
    '{"a":true,"b":[1,{"c":"x","d":null}]}',
  );
  expect(canonicalJson({ toolCallId: 'x', tool_use_id: 'y', timestamp: 1, id: 2 })).toBe('{"id":2}');
});

test.each([
  ['ask', 'read', 'ask'],
  ['ask', 'edit', 'ask'],
  ['allow_edits', 'read', 'allow'],
  ['allow_edits', 'edit', 'allow'],
  ['allow_edits', 'execute', 'ask'],
  ['allow_edits', 'fetch', 'ask'],
  ['allow_all', 'other', 'allow'],
  ['deny', 'read', 'deny'],
] as const)('a profile with %s and a tool of kind %s gives: %s', (permissions, kind, decision) => {
  const policy = { permissions, readOnly: false, ownCheckout: false };
  expect(decideByPolicy(policy, kind)).toBe(decision);
  const outside = permissions === 'allow_edits' && kind === 'edit' ? 'ask' : decision;
  expect(decideByPolicy(policy, kind, 'outside')).toBe(outside);
  const unasked = permissions !== 'deny' && kind === 'edit' ? 'allow' : decision;
  expect(decideByPolicy(policy, kind, 'unasked')).toBe(unasked);
  const careful = decision === 'allow' && kind !== 'read' ? 'ask' : decision;
  expect(decideByPolicy({ ...policy, ownCheckout: true }, kind)).toBe(careful);
  const reads = { ...policy, readOnly: true };
  expect(decideByPolicy(reads, 'edit')).toBe('deny');
  for (const reach of ['outside', 'unasked'] as const)
    expect(decideByPolicy(reads, 'edit', reach)).toBe('deny');
  for (const writing of ['execute', 'switch_mode', 'other'])
    expect(decideByPolicy(reads, writing)).toBe(permissions === 'deny' ? 'deny' : 'ask');
});
