import { resultsOf, startTeam, teamIn } from '../fixtures/team';
import { expect, test } from '../fixtures/test';

const planner = 'default: This is the plan.\n';
const quick = 'default: <task-result>Read.</task-result>\n';
/** Sends its lead many messages, then delivers. */
const poster = JSON.stringify({
  default: {
    do: Array.from({ length: 200 }, (_, index) => ({
      tool: { name: 'team_message', input: { to: 'lead', text: `Note ${index + 1}.` } },
    })),
    text: '<task-result status="completed">All is told.</task-result>',
  },
});

test('an operator who writes a reason in the chat stays there, whatever the others say', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { planner, quick },
    config: {
      members: [
        { name: 'S1', agent: 'planner', prompt: 'Build.', iterative: true, plan_approval: true },
        { name: 'S2', agent: 'quick', prompt: 'Read.', iterative: true },
      ],
    },
  });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}/1/all`);
  const gate = page.getByRole('region', { name: /^Gate: .*plan/i });
  await gate.locator('[data-part="gate-option"].reject').click();
  const reason = page.getByRole('textbox', { name: /^Reason/ });
  await expect(reason).toBeFocused();
  await page.keyboard.type('Not ');
  // What is said before its first prompt is sent is a part of that prompt, and makes no round of its own.
  await bench.until(muster, runId, ({ state }) => resultsOf(state, 'S2')[0] === 'Read.');
  for (let round = 1; round <= 12; round += 1) {
    await muster.call('team.say', { ...place, to: 'S2', text: `Once more, ${round}` });
    await bench.until(muster, runId, ({ state }) => resultsOf(state, 'S2')[round] === 'Read.');
  }
  await expect(page.getByRole('button', { name: 'Follow' })).toBeVisible();
  await page.keyboard.type('yet');
  await expect(reason).toBeFocused();
  await expect(reason).toHaveValue('Not yet');
  await expect(reason).toBeInViewport();
});

test('the address of a message from long ago shows that message', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await startTeam(bench, muster, {
    scripts: { poster },
    config: {
      messages_per_minute: 600,
      members: ['S1', 'S2', 'S3'].map((name) => ({ name, agent: 'poster', prompt: 'Tell.' })),
    },
  });
  await bench.until(muster, runId, ({ state }) => teamIn(state).last.message > 600);
  await page.reload();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}/1/all/3`);
  await expect(page.locator('[data-part="team-chat"] .current')).toBeInViewport({ timeout: 120_000 });
});

test('a question about a release takes no key from an operator who writes on', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await startTeam(bench, muster, {
    scripts: { quick },
    config: { members: [{ name: 'S1', agent: 'quick', prompt: 'Read.', iterative: true }] },
  });
  await bench.until(muster, runId, ({ state }) => resultsOf(state, 'S1')[0] === 'Read.');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}/1/S1`);
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('I will be satisfied soon');
  await expect(message).toBeFocused();
  // Both events in one task, so that the answer arrives while the operator types on.
  await message.evaluate((area: HTMLTextAreaElement) => {
    const keys = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
    area.dispatchEvent(new KeyboardEvent('keydown', keys));
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, 'you');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect(page.getByRole('alertdialog', { name: 'Release S1?' })).toBeVisible();
  await expect(message).toHaveValue('I will be satisfied soon\nyou');
  await expect(message).toBeFocused();
});
