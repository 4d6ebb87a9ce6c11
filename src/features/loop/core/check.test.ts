import type { CommandResult } from '@main/core/ports/ports';
import { expect, test } from 'vitest';
import { failing, LoopHarness, passed } from './testing/loop';

const ended = (exitCode: number, output = ''): CommandResult => ({
  outcome: 'exited',
  exitCode,
  output,
  outputPath: '/out',
  outputBytes: output.length,
  error: null,
});

/** Checks with these results, in order. */
function checked(harness: LoopHarness, ...ends: CommandResult[]): void {
  harness.commands.answer = () => ends.shift() ?? ended(0);
}

test('a story that the worker calls done while the check fails is not done, and is tried again with the output', async () => {
  const harness = new LoopHarness(['A', 'B']);
  harness.deeds = [passed('A'), { commit: ['fix'], say: 'Fixed.\nResult: completed' }, passed('B')];
  checked(harness, ended(1, '3 tests failed: `login`'));
  await harness.loop({ verify: 'npm test' });
  expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A', '2 completed B']);
  expect(harness.updates()[0]?.update.summary[0]).toBe(
    'The check "npm test" does not confirm it (exit 1), so A is not done. Did A.',
  );
  const prompts = harness.agents.sent.map(({ request }) => request.prompt);
  expect(prompts[0]).toContain('Your story is done only if it succeeds:\n```\nnpm test\n```');
  expect(prompts[1]).toContain(
    'the check failed: exit 1. The end of its output:\n```\n3 tests failed: `login`\n```',
  );
  expect(prompts[2]).not.toContain('## The check failed');
  expect(harness.state().outcome).toBe('succeeded');
});

test('a loop whose stories all pass in the plan is not complete while the check fails', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [passed('A'), { say: 'It is done already.\nResult: completed' }];
  checked(harness, ended(2), ended(2));
  await harness.loop({ verify: 'npm test', iterations: 1 });
  expect(harness.results()).toEqual(['1 failed A', '1 r1 no-op A']);
  expect(harness.state1.attempts[1]?.judged?.warnings).toContain('check-failed: exit 2');
  expect(harness.state().activations[1]).toMatchObject({
    error: { message: 'all 1 iterations are used; still open: A' },
    receipt: { complete: false, open: ['A'] },
  });
});

test('a check that takes too long or cannot be started confirms nothing', async () => {
  for (const outcome of ['timed_out', 'failed_to_start'] as const) {
    const harness = new LoopHarness(['A']);
    harness.deeds = [passed('A'), passed('A')];
    checked(harness, { ...ended(0), outcome, exitCode: null });
    await harness.loop({ verify: 'npm test', verify_minutes: 1 });
    expect(harness.results()[0]).toBe('1 failed A');
    expect(harness.commands.ran[0]?.spec).toMatchObject({ script: 'npm test', timeoutSeconds: 60 });
  }
});

test('an attempt that says it is blocked stays blocked, whatever the check says', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [{ say: 'No key.\nResult: blocked' }];
  checked(harness, ended(1));
  await harness.loop({ verify: 'npm test' });
  expect(harness.results()).toEqual(['1 blocked A']);
});

test('the second try can go to another agent and another model', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [failing, passed('A')];
  await harness.loop({ retry_model: 'large' });
  expect(harness.agents.opened.map(({ model }) => model)).toEqual([null, 'large']);
  expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A']);
});

test('the second try by another agent does not use the model of the first one', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [failing, passed('A')];
  const worker = { acp_profile_id: 'fake', agent_config: { model: 'big' } };
  await harness.loop({ worker, retry_profile: 'fake' });
  expect(harness.agents.opened.map(({ model }) => model)).toEqual(['big', null]);
});

test('a commit for another story without a change of the plan is reported as out of order', async () => {
  const harness = new LoopHarness(['A', 'B']);
  harness.deeds = [{ commit: ['feat: [B] - Title B'], say: 'Part done.' }];
  await harness.loop({ iterations: 1 });
  expect(harness.results()).toEqual(['1 completed B']);
  expect(harness.state1.attempts[0]?.judged?.warnings).toContain('out-of-order: A was next');
});

test('a story without a plan is named from the commit, else from progress.txt', async () => {
  const harness = new LoopHarness([]);
  harness.deeds = [
    { commit: ['feat: [US-001] - Add login'], say: 'One.' },
    { progress: '## 2026-01-31 - US-002\n- looked\n', say: 'Two.' },
    { say: 'Three. <promise>COMPLETE</promise>' },
  ];
  await harness.loop({ prompt: 'Do the next piece.' });
  expect(harness.updates().map(({ text }) => text.split('\n')[1])).toEqual([
    'Story: US-001 - Add login',
    'Story: US-002 - unknown',
    'Story: unknown',
  ]);
});

test('the question of an agent is in the update and in the gate', async () => {
  const harness = new LoopHarness(['A']);
  const asked = { type: 'request_user_input', questions: [{ question: 'Which database?' }] };
  harness.deeds = [{ log: [JSON.stringify(asked), '{"type":"turn.completed"}'], say: 'Stopped.' }];
  await harness.loop();
  expect(harness.updates()[0]?.update).toMatchObject({
    result: 'blocked',
    summary: ['Asks: Which database?', 'Stopped.'],
  });
  expect(harness.openGate()?.message).toContain('It asks:\nWhich database?');
});
