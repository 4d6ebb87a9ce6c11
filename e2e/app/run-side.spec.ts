import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Build it
steps:
  - id: build
    type: step.agent_task
    title: Build the page
    config: {acp_profile_id: worker, instruction: Build the page., re_prompts: [Now test it.]}
  - {id: check, type: step.command, title: Check it, config: {script: "echo all is well"}}
cables:
  - {from: build.data_out, to: check.data_in}
`;
const script = `match:
  - when: Now test it
    reply: Tested.
default:
  do: [{write: {path: page.html, content: "<h1>Hello</h1>\\n"}}]
  text: Built.
`;

test('keys show the diff, prompt, session and terminal of the selected turn beside the run, and follow the selection', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  await page.evaluate((to) => {
    location.hash = to;
  }, `#/run/${row.uid}/turn/1`);
  const run = page.getByRole('article', { name: 'Run Build it' });
  const side = page.getByRole('complementary', { name: 'The selected turn' });
  const pane = (name: string) => side.getByRole('region', { name });
  await expect(run.getByRole('heading', { name: 'Build the page' })).toBeVisible();
  // By keyboard: first the turn's changes, then its prompt, without leaving the run.
  await page.keyboard.press('d');
  await expect(pane('Diff')).toContainText('page.html');
  await expect(side.locator('.diff-line.added')).toContainText('Hello');
  await page.keyboard.press('p');
  await expect(pane('Prompt').first()).toContainText('Build the page.');
  await expect(page).toHaveURL(/turn\/1\?side=prompt/);
  // The panel follows the selection, wherever it is changed.
  await run.getByRole('heading', { name: 'Prompt', exact: true }).click();
  await page.keyboard.press('j');
  await expect(pane('Prompt').first()).toContainText('Now test it.');
  await page.keyboard.press('o');
  await expect(pane('Session').getByRole('link', { name: 'Open the session' })).toBeVisible();
  await page.keyboard.press('o');
  await expect(side).toBeHidden();
  await expect(run).toBeVisible();
  // By mouse: the tabs, and a command's terminal.
  await page.keyboard.press('d');
  await run.getByRole('region', { name: /^Command/ }).scrollIntoViewIfNeeded();
  await page.evaluate((to) => {
    location.hash = to;
  }, `#/run/${row.uid}/command/1?side=diff`);
  await side.getByRole('tab', { name: 'Terminal' }).click();
  await expect(side.getByRole('article', { name: /^Terminal/ })).toBeVisible();
  await expect.poll(() => side.locator('[data-part="terminal-box"]').textContent()).toContain('all is well');
  await page.reload();
  await expect(side.getByRole('tab', { name: 'Terminal' })).toHaveAttribute('aria-selected', 'true');
  await side.getByRole('button', { name: 'Close' }).click();
  await expect(side).toBeHidden();
  // The timeline names ports in plain words.
  await expect(run.getByRole('button', { name: /^Output/ }).first()).toBeVisible();
  await expect(run).not.toContainText('data_out');
});
