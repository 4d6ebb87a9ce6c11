import { ok } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { describe, expect, test } from 'vitest';
import { fakeProfile, gate, Harness, task } from './testing/harness';

const APPROVE = '{"decision": "approve", "findings": []}';
const REVISE = '{"decision": "revise", "findings": [{"severity": "high", "text": "handle it"}]}';

const code = {
  id: 'code',
  type: 'step.coding',
  config: {
    instruction: 'build',
    coordination: 'review_chain',
    max_rounds: 1,
    agents: ['builder', 'reviewer'].map((role) => ({ role, acp_profile_id: role })),
  },
};
const profiles = {
  fake: fakeProfile,
  builder: { ...fakeProfile, id: 'builder' },
  reviewer: { ...fakeProfile, id: 'reviewer' },
};
/** The reviewer's answers, in order. */
function reviewed(...said: string[]): Harness {
  const harness = new Harness();
  harness.agents.answer = ({ spec }) =>
    spec.profile.id === 'fake'
      ? null
      : { response: spec.profile.id === 'builder' ? 'x' : (said.shift() ?? APPROVE) };
  return harness;
}
const gates = ({ gates: all }: RunState) => Object.values(all).map(({ kind, status }) => `${kind} ${status}`);
const open = ({ gates: all }: RunState, kind: string) =>
  Object.values(all).find((one) => one.kind === kind && one.status === 'open')?.id ?? 0;

describe('an escalation to the operator', () => {
  test('an escalation is withdrawn where the step works on it again, so that no one is asked about superseded work', async () => {
    const harness = reviewed(REVISE);
    await harness.run(
      {
        steps: [code, gate('ok')],
        cables: [
          { from: 'code.data_out', to: 'ok.data_in' },
          { from: 'ok.revise_out', to: 'code.instruction_in' },
        ],
      },
      { profiles },
    );
    expect(gates(harness.state())).toEqual(['review_escalation open', 'approval open']);
    await harness.answer('reject', { gateId: open(harness.state(), 'approval'), reason: 'no' });
    expect(gates(harness.state())).toEqual([
      'review_escalation withdrawn',
      'approval resolved',
      'approval open',
    ]);
    await harness.answer('approve');
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });

  test.each([
    ['accept', 'succeeded'],
    ['reject', 'rejected'],
  ])(
    'an item with an open escalation has not ended, and ends as the operator says: %s',
    async (option, end) => {
      const harness = reviewed(REVISE);
      const items = {
        id: 'each',
        type: 'step.workflow',
        config: { body: { steps: [code] }, for_each: { items: ['a'] } },
      };
      await harness.run({ steps: [items] }, { profiles });
      expect(gates(harness.state())).toEqual(['review_escalation open']);
      expect(Object.values(harness.state().scopes)).toMatchObject([{ status: 'open', outcome: null }]);
      await harness.answer(option);
      expect(Object.values(harness.state().scopes)).toMatchObject([{ status: 'ended', outcome: end }]);
      expect(harness.state().status).toBe('finished');
    },
  );

  test.each([
    ['accept', 'succeeded'],
    ['reject', 'rejected'],
  ])(
    'an escalation is asked again after a cancel when the run is resumed, and %s is what it says',
    async (option, end) => {
      const harness = reviewed(REVISE);
      await harness.run(
        {
          steps: [code, task('after')],
          cables: [{ from: 'code.signal_out', to: 'after.signal_in' }],
        },
        { profiles },
      );
      await harness.cancel();
      expect(harness.state()).toMatchObject({ outcome: 'cancelled', gates: { 1: { status: 'withdrawn' } } });
      await harness.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [2] }]));
      await harness.idle();
      harness.agents.sent.at(-1)?.end({ response: 'done' });
      await harness.idle();
      expect(gates(harness.state())).toEqual(['review_escalation withdrawn', 'review_escalation open']);
      expect(harness.state()).toMatchObject({ status: 'running', outcome: null });
      await harness.answer(option);
      expect(harness.state()).toMatchObject({ status: 'finished', outcome: end });
    },
  );

  test('an escalation ends the run as rejected though the step is then sent back by another gate', async () => {
    const harness = reviewed(REVISE);
    await harness.run(
      {
        steps: [code, gate('ok')],
        cables: [
          { from: 'code.data_out', to: 'ok.data_in' },
          { from: 'ok.revise_out', to: 'code.instruction_in' },
        ],
      },
      { profiles },
    );
    await harness.answer('reject', { gateId: open(harness.state(), 'review_escalation') });
    await harness.answer('reject', { gateId: open(harness.state(), 'approval'), reason: 'no' });
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'rejected' });
    expect(harness.state().steps.code?.activationIds).toHaveLength(1);
  });
});
