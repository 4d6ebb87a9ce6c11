import { Harness, task } from '@main/core/engine/testing/harness';
import { decisionInstruction, decisionReminder } from '@main/core/step/decision-tail';
import { describe, expect, test } from 'vitest';

const listed = (severity: string) => `I broke it.\n\nFindings:\n- [${severity}] the token is logged`;
const APPROVE = '{"decision": "approve", "findings": []}';

/** A draft and its attacker, who gives these answers in order. */
async function play(attacks: string[], config: Record<string, unknown> = {}): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = ({ request }) => ({
    response: request.prompt.startsWith('do draft') ? 'draft' : (attacks.shift() ?? ''),
  });
  const attack = {
    id: 'attack',
    type: 'step.red_team',
    config: { instruction: 'Break it.', acp_profile_id: 'fake', ...config },
  };
  const cables = [
    { from: 'draft.data_out', to: 'attack.data_in' },
    { from: 'attack.revise_out', to: 'draft.instruction_in' },
  ];
  await harness.run({ steps: [task('draft'), attack], cables });
  return harness;
}

const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);
const first = (harness: Harness) => harness.state().activations[2];

describe('step.red_team (seed 000, 8)', () => {
  test('a red team makes its passes in order, in one session, under the instruction of the operator alone (golden)', async () => {
    const harness = await play(['one', 'two', APPROVE], { re_prompts: ['Again.', 'Now as an insider.'] });
    expect(prompts(harness)).toEqual([
      'do draft',
      'Break it.\n\n## Input\ndraft',
      'Again.',
      `Now as an insider.\n\n${decisionInstruction}`,
    ]);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a red team gives the findings on a port of their own, as a list', async () => {
    const finding = { severity: 'low', text: 'a comma', file: 'a.md' };
    const harness = await play([JSON.stringify({ decision: 'approve', findings: [finding] })]);
    expect(first(harness)?.outputs.findings_out?.content).toEqual([finding]);
    expect(first(harness)?.outputs.approved_out?.content).toMatchObject({ merged_content: 'draft' });
    expect(first(harness)?.signals).toContain('findings_out');
  });

  test.each([
    [undefined, 'critical', true],
    [undefined, 'high', true],
    [undefined, 'medium', false],
    ['critical', 'critical', true],
    ['critical', 'high', false],
    ['any', 'low', true],
    ['any', 'odd', true],
    ['high', 'odd', false],
  ])(
    'a red team with fail_on %s turns a finding that is %s into revise: %s',
    async (fail_on, severity, revises) => {
      const harness = await play(
        [listed(severity), APPROVE, APPROVE],
        fail_on === undefined ? {} : { fail_on },
      );
      if (revises) {
        expect(first(harness)).toMatchObject({ outcome: 'revised', receipt: { decided_by: 'findings' } });
        expect(prompts(harness)[2]).toMatch(
          /^do draft\n\n## Your last version\ndraft\n\n## Revision requested\n- .*the token is logged$/,
        );
      } else {
        expect(prompts(harness)[2]).toBe(decisionReminder);
        expect(first(harness)).toMatchObject({
          outcome: 'succeeded',
          receipt: { reminders: 1, findings: 1 },
        });
      }
      expect(harness.state().outcome).toBe('succeeded');
    },
  );

  test.each([
    ['findings', listed('critical'), 1],
    ['nothing that can be read', 'I broke it.', 0],
  ])(
    'a red team with fail_on none approves a review of %s without a reminder or a gate',
    async (_name, said, findings) => {
      const harness = await play([said, 'not asked for'], { fail_on: 'none' });
      expect(prompts(harness)).toHaveLength(2);
      expect(harness.events().filter(({ type }) => type === 'gate.opened')).toEqual([]);
      expect(first(harness)).toMatchObject({
        outcome: 'succeeded',
        receipt: { decision: 'approve', decided_by: 'fail_on', reminders: 0, findings },
      });
      expect(harness.state().outcome).toBe('succeeded');
    },
  );

  test('a red team with fail_on none still sends back what the agent itself wants revised', async () => {
    const revise = '{"decision": "revise", "findings": [{"severity": "low", "text": "a comma"}]}';
    const harness = await play([revise, APPROVE], { fail_on: 'none' });
    expect(first(harness)).toMatchObject({ outcome: 'revised', receipt: { decided_by: 'agent' } });
  });

  test('a red team with fail_on none that answers with nothing is reminded, then the operator is asked', async () => {
    const reminded = await play([' \n', APPROVE], { fail_on: 'none' });
    expect(prompts(reminded)).toContain(decisionReminder);
    expect(first(reminded)).toMatchObject({ receipt: { decision: 'approve', decided_by: 'agent' } });
    const silent = await play(['', ''], { fail_on: 'none' });
    expect(silent.state().gates[1]).toMatchObject({ kind: 'review_escalation', status: 'open' });
  });

  test("a red team leaves the agent's own decision as it is", async () => {
    const findings = [{ severity: 'critical', text: 'known and accepted' }];
    const harness = await play([JSON.stringify({ decision: 'approve', findings })]);
    expect(first(harness)).toMatchObject({
      outcome: 'succeeded',
      receipt: { decided_by: 'agent', findings: 1 },
    });
  });
});
