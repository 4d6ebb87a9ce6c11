import { describe, expect, test } from 'vitest';
import type { GateOption } from '../../../contract/gate';
import { firstForm, formFor, shownWith } from './answer-form';

const option = (id: string, tone: GateOption['tone']): GateOption => ({ id, label: id, effect: id, tone });
const [approve, revise, fail] = [
  option('approve', 'approve'),
  option('revise', 'reject'),
  option('fail', 'reject'),
];
const options = [approve, revise, fail];

describe('the form of an answer', () => {
  test('the form asks for the reason of the chosen option, where several reject', () => {
    for (const chosen of [revise, fail]) {
      const form = formFor(chosen);
      expect(form).toEqual({ kind: 'reason', option: chosen.id });
      expect(shownWith(form, options)).toEqual([chosen]);
    }
  });

  test('the form asks for nothing before an approval, and for the rule before an answer by rule', () => {
    expect(formFor(approve)).toBeNull();
    expect(formFor(option('allow_rule', 'neutral'))).toEqual({ kind: 'rule' });
    expect(shownWith(null, options)).toEqual(options);
    expect(shownWith({ kind: 'rule' }, options)).toEqual([]);
    expect(shownWith({ kind: 'choose' }, options)).toEqual(options);
  });
});

test('a gate that asks for a text opens with its field, and shows its other options beside it', () => {
  const answer = { ...approve, needs: 'text' as const };
  expect(firstForm([answer, revise])).toEqual({ kind: 'answer', option: 'approve' });
  expect(shownWith({ kind: 'answer', option: 'approve' }, [answer, revise])).toEqual([revise]);
  expect(firstForm(options)).toBeNull();
});
