import { stepRegistry } from '@features/core';
import { Harness, task } from '@main/core/engine/testing/harness';
import { decisionInstruction, decisionReminder } from '@main/core/step/decision-tail';
import { describe, expect, test } from 'vitest';

const review = (config: Record<string, unknown> = {}) => ({
  id: 'check',
  type: 'step.agent_review_gate',
  title: 'Check it',
  config: { instruction: 'Review the draft.', acp_profile_id: 'fake', ...config },
});
const cables = [
  { from: 'draft.data_out', to: 'check.data_in' },
  { from: 'check.approved_out', to: 'use.data_in' },
];
const back = [...cables, { from: 'check.revise_out', to: 'draft.instruction_in' }];

const APPROVE = 'Good.\n```json\n{"decision": "approve", "findings": []}\n```';
const REVISE =
  'Not yet.\n```json\n{"decision": "revise", "findings": [{"severity": "high", "text": "too long"}]}\n```';

/** A draft, its review and a step that uses the approved text; the reviewer gives these answers in order. */
async function play(
  reviews: string[],
  { config = {}, links = back }: { config?: Record<string, unknown>; links?: typeof back } = {},
): Promise<Harness> {
  const harness = new Harness();
  let drafts = 0;
  harness.agents.answer = ({ request }) => {
    if (request.prompt.startsWith('do draft')) {
      drafts += 1;
      return { response: `draft ${drafts}` };
    }
    return { response: request.prompt.startsWith('do use') ? 'used' : (reviews.shift() ?? '') };
  };
  await harness.run({ steps: [task('draft'), review(config), task('use')], cables: links });
  return harness;
}

const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);
const last = (harness: Harness, stepId = 'check') => {
  const state = harness.state();
  return state.activations[state.steps[stepId]?.activationIds.at(-1) ?? 0];
};

describe('step.agent_review_gate (seed 000, 7 and 8)', () => {
  test('a review gate sends the re-prompts in order in one session and asks for the decision in the last turn only', async () => {
    const harness = await play(['one', 'two', APPROVE], {
      config: { re_prompts: ['Look again.', 'Decide.'] },
    });
    expect(prompts(harness).slice(1, 4)).toEqual([
      'Review the draft.\n\n## Input\ndraft 1',
      'Look again.',
      `Decide.\n\n${decisionInstruction}`,
    ]);
    expect(new Set(harness.agents.sent.slice(1, 4).map(({ spec }) => spec.key)).size).toBe(1);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a review gate evaluates the decision only after the last re-prompt', async () => {
    const harness = await play([APPROVE, REVISE, APPROVE, APPROVE], {
      config: { re_prompts: ['Look again.'] },
    });
    expect(Object.values(harness.state().activations).map((a) => `${a.stepId} ${a.outcome}`)).toEqual([
      'draft succeeded',
      'check revised',
      'draft succeeded',
      'check succeeded',
      'use succeeded',
    ]);
  });

  test('a review gate asks in the primary prompt where there is no re-prompt (golden)', async () => {
    const harness = await play([APPROVE]);
    expect(prompts(harness)[1]).toMatchInlineSnapshot(`
      "Review the draft.

      ## Input
      draft 1

      End your answer with your decision in this form, and write nothing after it:

      \`\`\`json
      {"decision": "approve" | "revise", "findings": [{"severity": "critical" | "high" | "medium" | "low", "text": "what is wrong, and where"}]}
      \`\`\`

      "approve" lets the work go on. "revise" sends it back with your findings, so each of them must say what is to be changed. Leave the list empty where there is nothing to report."
    `);
    expect(decisionReminder).toMatchInlineSnapshot(`
      "No decision could be read from the end of your last answer. Do not review again; give the decision that you came to, and nothing else.

      End your answer with your decision in this form, and write nothing after it:

      \`\`\`json
      {"decision": "approve" | "revise", "findings": [{"severity": "critical" | "high" | "medium" | "low", "text": "what is wrong, and where"}]}
      \`\`\`

      "approve" lets the work go on. "revise" sends it back with your findings, so each of them must say what is to be changed. Leave the list empty where there is nothing to report."
    `);
  });

  test('a review gate passes the reviewed work on as it came, with its session, and outputs review and receipt', async () => {
    const harness = await play(['one', APPROVE], { config: { re_prompts: ['Decide.'] } });
    const draft = last(harness, 'draft')?.outputs.data_out;
    expect(last(harness)?.outputs.approved_out).toEqual(draft);
    expect(draft?.source_session_key).not.toBeNull();
    expect(last(harness)?.outputs.data_out?.content).toEqual({
      merged_content: `one\n───── Re-prompt 1 ─────\n${APPROVE}`,
      response_count: 2,
      has_re_prompts: true,
      decision: 'approve',
      findings: [],
    });
    expect(last(harness)?.receipt).toMatchObject({
      decision: 'approve',
      decided_by: 'agent',
      findings: 0,
      re_prompt_count: 1,
      reminders: 0,
      prompts_sent: 2,
    });
    expect(last(harness)?.signals).toEqual(['approved_out', 'data_out', 'receipt_out', 'signal_out']);
    expect(prompts(harness).at(-1)).toContain('## Input\ndraft 1');
  });

  test('a review gate posts an update for each turn and no other progress', async () => {
    const harness = await play(['one', 'no decision', APPROVE], { config: { re_prompts: ['Decide.'] } });
    const texts = harness.events().flatMap((event) => (event.type === 'update.posted' ? [event.text] : []));
    expect(texts.slice(1, 4)).toEqual([
      'Iteration 1/2\nStory: check - Check it\nResult: completed\nCommit: none\nSummary: one',
      'Iteration 2/2\nStory: check - Check it\nResult: completed\nCommit: none\nSummary: no decision',
      expect.stringMatching(/^Iteration 3\/3\nStory: check - Check it\nResult: completed\n/),
    ]);
    expect(harness.events().filter((event) => event.type.startsWith('task.'))).toEqual([]);
  });

  test('a review gate says what is wrong with its configuration, as the agent task does', () => {
    const bind = (config: Record<string, unknown>) => {
      const module = stepRegistry.get('step.agent_review_gate');
      const bound = module?.bind(module.config.parse({ instruction: 'x', ...config }));
      return bound
        ?.validate({
          sessionsOf: () => [],
          hasProfile: () => true,
          profile: () => null,
          defaultProfile: null,
          workspace: 'worktree',
          hasFormat: false,
          inBody: false,
          maxParallel: 4,
        })
        .map(({ code, severity, path }) => `${severity} ${code} ${path}`);
    };
    expect(bind({ acp_profile_id: 'fake', re_prompts: ['a', ' '], max_iterations: 2 })).toEqual([
      'error validation.reprompt_empty re_prompts[1]',
      'error validation.max_iterations max_iterations',
    ]);
    expect(bind({ acp_profile_id: 'fake', re_prompts: Array.from({ length: 11 }, () => 'a') })).toEqual([
      'warning validation.reprompt_too_many re_prompts',
    ]);
    expect(bind({ session_mode: 'continue' })).toEqual([
      'error validation.agent_missing acp_profile_id',
      'error validation.session_continue session_mode',
    ]);
    expect(
      stepRegistry.get('step.agent_review_gate')?.config.safeParse({ instruction: 'x', fail_on: 'any' })
        .success,
    ).toBe(false);
  });
});

describe('the decision revise', () => {
  test('the decision revise leads back with the findings as the reason, and reviews the result', async () => {
    const harness = await play([REVISE, APPROVE]);
    expect(prompts(harness)[2]).toBe(
      'do draft\n\n## Your last version\ndraft 1\n\n## Revision requested\n- [high] too long',
    );
    expect(prompts(harness)[3]).toContain('## Input\ndraft 2');
    expect(prompts(harness)).toHaveLength(5);
    expect(last(harness, 'use')?.outcome).toBe('succeeded');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('the decision revise sends the review itself where it lists no findings', async () => {
    const harness = await play(['Say why.\n\n{"decision": "revise"}', APPROVE]);
    expect(prompts(harness)[2]).toBe(
      'do draft\n\n## Your last version\ndraft 1\n\n## Revision requested\nSay why.',
    );
  });

  test('the decision revise goes on in its own session where session_persist is set', async () => {
    const harness = await play([REVISE, APPROVE], { config: { session_persist: true } });
    expect(harness.agents.sent[3]?.spec.key).toBe(harness.agents.sent[1]?.spec.key);
  });

  test('the decision revise ends the run as rejected once max_attempts are used up', async () => {
    const harness = await play([REVISE, REVISE, REVISE], { config: { max_attempts: 2 } });
    expect(Object.values(harness.state().activations).map((a) => `${a.stepId} ${a.outcome}`)).toEqual([
      'draft succeeded',
      'check revised',
      'draft succeeded',
      'check revised',
      'draft succeeded',
      'check rejected',
    ]);
    expect(harness.state().outcome).toBe('rejected');
    expect(last(harness)?.receipt).toMatchObject({ decision: 'revise', findings: 1 });
    expect(harness.state().steps.use?.skipped).toBe('Check it rejected');
  });

  test('the decision revise leads back three times by default', async () => {
    const harness = await play([REVISE, REVISE, REVISE, REVISE, APPROVE]);
    expect(harness.state().steps.check?.activationIds).toHaveLength(4);
    expect(harness.state().outcome).toBe('rejected');
  });

  test('the decision revise ends the run as rejected where revise_out is not connected, and keeps the review', async () => {
    const harness = await play([REVISE], { links: cables });
    expect(harness.state().outcome).toBe('rejected');
    expect(last(harness)?.outputs.data_out?.content).toMatchObject({
      decision: 'revise',
      findings: [{ severity: 'high', text: 'too long' }],
    });
  });
});

describe('a decision that cannot be read', () => {
  test('a decision that cannot be read is asked for once more, in the same session, and then counts', async () => {
    const harness = await play(['I think it is fine.', APPROVE]);
    expect(prompts(harness)[2]).toBe(decisionReminder);
    const kinds = Object.values(harness.state().turns).map(
      ({ kind, ordinal, of }) => `${kind} ${ordinal}/${of}`,
    );
    expect(kinds).toEqual(['primary 0/1', 'primary 0/1', 'reminder 1/2', 'primary 0/1']);
    expect(harness.agents.sent[2]?.spec.key).toBe(harness.agents.sent[1]?.spec.key);
    expect(last(harness)?.outputs.data_out?.content).toMatchObject({
      merged_content: 'I think it is fine.',
      response_count: 1,
      decision: 'approve',
    });
    expect(last(harness)?.receipt).toMatchObject({ reminders: 1, prompts_sent: 2, decided_by: 'agent' });
  });

  test('a decision takes the findings of the review where the answer to the reminder has none', async () => {
    const harness = await play(['Findings:\n- [low] a comma', 'Decision: revise', APPROVE]);
    expect(prompts(harness)[3]).toBe(
      'do draft\n\n## Your last version\ndraft 1\n\n## Revision requested\n- [low] a comma',
    );
  });

  test('a decision that cannot be read fails the step where the cap leaves no prompt for the reminder', async () => {
    const harness = await play(['Fine.'], { config: { max_iterations: 1 } });
    expect(last(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.max_iterations' } });
    expect(last(harness)?.outputs.data_out?.content).toMatchObject({
      merged_content: 'Fine.',
      decision: null,
    });
    expect(harness.state().outcome).toBe('failed');
  });
});

describe('the escalation to the operator', () => {
  const undecided = (more: string[] = []) => play(['A long review.', 'Still no form.', ...more]);

  test('the escalation waits in the inbox with the responses as evidence, also after a restart', async () => {
    const harness = await undecided();
    const open = () => Object.values(harness.state().gates).filter((gate) => gate.status === 'open');
    expect(open()).toMatchObject([
      {
        kind: 'review_escalation',
        title: 'Check it',
        evidence: '───── Review ─────\nA long review.\n\n───── Answer to the reminder ─────\nStill no form.',
        evidence_parts: [{ kind: 'markdown' }, { kind: 'markdown' }],
        options: [{ id: 'approve' }, { id: 'revise' }, { id: 'fail' }],
      },
    ]);
    await harness.restart();
    expect(open()).toHaveLength(1);
    expect(harness.state().status).toBe('running');
  });

  test('the escalation answered with approve lets the reviewed work go on', async () => {
    const harness = await undecided();
    await harness.answer('approve');
    expect(last(harness)?.outputs.approved_out?.content).toMatchObject({ merged_content: 'draft 1' });
    expect(last(harness)?.receipt).toMatchObject({ decided_by: 'operator', reminders: 1 });
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('the escalation answered with revise leads back with the reason', async () => {
    const harness = await undecided([APPROVE]);
    await harness.answer('revise', { reason: 'Shorter.' });
    expect(prompts(harness)[3]).toBe(
      'do draft\n\n## Your last version\ndraft 1\n\n## Revision requested\nShorter.',
    );
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('the escalation answered with revise without a reason leads back with the review', async () => {
    const harness = await undecided([APPROVE]);
    await harness.answer('revise');
    expect(prompts(harness)[3]).toBe(
      'do draft\n\n## Your last version\ndraft 1\n\n## Revision requested\nA long review.',
    );
  });

  test('the escalation answered with fail fails the step and keeps the review', async () => {
    const harness = await undecided();
    await harness.answer('fail', { reason: 'Wrong agent.' });
    expect(last(harness)).toMatchObject({
      outcome: 'failed',
      error: { code: 'step.failed', message: 'the operator ended a review without a decision: Wrong agent.' },
    });
    expect(last(harness)?.outputs.data_out?.content).toMatchObject({ merged_content: 'A long review.' });
    expect(harness.state().outcome).toBe('failed');
  });

  test('the escalation says that revise ends the run where nothing leads back', async () => {
    const harness = await play(['x', 'y'], { links: cables });
    expect(harness.state().gates[1]?.options[1]?.effect).toBe('The run ends as rejected.');
    await harness.answer('revise', { reason: 'No.' });
    expect(harness.state().outcome).toBe('rejected');
  });
});
