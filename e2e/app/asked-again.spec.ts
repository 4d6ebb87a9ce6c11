import type { Muster } from '../fixtures/launch';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const rework = `name: Announcement
steps:
  - id: draft
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Announce it.}
  - id: good
    type: step.approval
    title: Is it good?
    config:
      message: Is this good?
      on_reject: {acp_profile_id: worker, prompt: "Make it as the operator says: $REJECTION_REASON"}
cables:
  - {from: draft.data_out, to: good.data_in}
`;
const script = `match:
  - when: Shorter
    reply: |
      Berths are limited.
      Ask again later.
default: |
  Berths are limited from Monday on.
  Ask again later.
`;
const approval = (id: string) =>
  `name: ${id}\nsteps:\n  - {id: ${id}, type: step.approval, config: {message: Take ${id}?}}\n`;

const show = (muster: Muster, hash: string) =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

test('a question that is asked again shows my last reason, the round, and what changed since', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(rework, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await show(muster, '#/inbox');
  const gate = page.getByRole('article', { name: 'Is it good?' });
  await expect(gate).toContainText('from Monday on');
  await canDecide(page);
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: /^Reason/ }).fill('Shorter.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await bench.until(muster, runId, ({ state }) => state.gates[2]?.status === 'open');
  const before = gate.getByRole('region', { name: 'Asked again' });
  await expect(before).toContainText('for the second time');
  await expect(before).toContainText('Shorter.');
  // The rework is compared with the draft that it revises.
  const difference = gate.getByRole('group', { name: /^Lines of .*Rework 1/ });
  await expect(difference.locator('.diff-line.removed')).toContainText('from Monday on');
  await expect(difference.locator('.diff-line.added')).toContainText('Berths are limited.');
  await expect(difference.locator('.diff-line.added')).toHaveCount(1);
  await gate.getByText('Previous', { exact: true }).click();
  await expect(gate).toContainText('from Monday on');
  await expect(difference).toHaveCount(0);
  await canDecide(page);
  await page.keyboard.press('a');
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
});

test('questions for the operator are grouped by run, narrowed to a project and searched, by keys and by mouse', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const first = await bench.project(muster, {
    [WORKFLOW]: approval('alpha'),
    '.muster/workflows/beta.yaml': approval('beta'),
  });
  const second = await bench.project(muster, { [WORKFLOW]: approval('gamma') });
  const starts = [
    [first.id, WORKFLOW],
    [first.id, '.muster/workflows/beta.yaml'],
    [second.id, WORKFLOW],
  ] as const;
  for (const [projectId, file] of starts) {
    const { runId } = await muster.call('run.start', { projectId, file });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  }
  await show(muster, '#/inbox');
  const list = page.getByRole('listbox', { name: 'Waiting gates' });
  const rows = list.getByRole('option');
  await expect(rows).toHaveCount(3);
  await canDecide(page);
  await page.keyboard.press('v');
  await expect(page.getByRole('button', { name: 'Group by run' })).toHaveAttribute('aria-pressed', 'true');
  for (const run of ['alpha', 'beta', 'gamma']) await expect(list.getByText(`${run} 1`)).toBeVisible();
  await page.getByRole('button', { name: 'Group by run' }).click();
  await expect(list.getByText('alpha 1')).toBeHidden();
  const search = page.getByRole('searchbox', { name: 'Search what needs you' });
  await search.fill('bet');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('beta');
  await search.fill('');
  const projects = page.getByRole('combobox', { name: 'Project' });
  const [, , name = ''] = await projects.locator('option').allTextContents();
  await projects.selectOption(name);
  await expect(rows).not.toHaveCount(3);
  // A filtered list does not change the count.
  await expect(page.getByRole('link', { name: 'Inbox, 3 waiting' })).toBeVisible();
});
