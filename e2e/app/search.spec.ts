import type { Page } from '@playwright/test';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Sounds
steps:
  - id: listen
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Describe the sound of whales.}
  - id: print
    type: step.command
    config: {script: "printf 'one \\\\033[31mwhale\\\\033[0m printed\\\\n'"}
  - id: ask
    type: step.approval
    config: {message: Publish the whale report?}
cables:
  - {from: listen.data_out, to: print.data_in}
  - {from: print.data_out, to: ask.data_in}
`;

/** The marked text at the place that a result opens. */
const marked = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => String(range)));

test('prompts, answers and terminal output are found in the palette and on the search page, and marked', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const script = 'default: The whale sings a humming song.\n';
  const project = await bench.project(muster, scripted(workflow, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await expect
    .poll(async () => (await muster.call('search.query', { text: 'whale' })).hits.map(({ kind }) => kind))
    .toEqual(expect.arrayContaining(['gate', 'turn', 'update']));

  // The palette shows the hits, and not the message that there are none.
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('humming');
  const hit = palette.getByRole('option', { name: /a humming song/ }).first();
  await expect(hit.locator('mark')).toHaveText('humming');
  await expect(palette.getByText('No matches. Try other words')).toBeHidden();
  // Actions of other views are listed with their view. Scattered letters match nothing.
  await palette.getByRole('combobox').fill('mark all up');
  await expect(palette.getByRole('option', { name: /Mark all updates read.*in Feed/ })).toBeVisible();
  // Found by other words than their own.
  for (const [words, entry] of [
    ['cost', /Go to Spend/],
    ['shortcuts', /Show the keys of this page/],
    ['chat', /Go to (Sessions|Teams)/],
  ] as const) {
    await palette.getByRole('combobox').fill(words);
    await expect(palette.getByRole('option', { name: entry }).first()).toBeVisible();
  }
  await palette.getByRole('combobox').fill('zzzz');
  await expect(palette.getByText('No matches. Try other words')).toBeVisible();
  await palette.getByRole('combobox').fill('humming');
  await palette.getByRole('option', { name: /^Search everything for/ }).click();

  const found = page.getByRole('listbox', { name: 'Found' }).getByRole('option');
  await expect(page.getByRole('searchbox', { name: 'Search everything' })).toHaveValue('humming');
  await expect(found.first()).toContainText('a humming song');
  await page.getByRole('searchbox', { name: 'Search everything' }).fill('whale');
  await page.getByRole('combobox', { name: 'Where' }).selectOption('gate');
  await expect(found).toHaveCount(1);
  await expect(found).toContainText('Publish the whale report?');
  await page.getByRole('combobox', { name: 'Where' }).selectOption('terminal');
  await expect(found).toHaveText(/one whale printed/);
  // A terminal draws its own text, so its own search marks the word.
  await found.click();
  await expect(page).toHaveURL(/#\/terminal\/\d+\/c1\?find=whale/);
  await expect(page.locator('.xterm-decoration').first()).toBeVisible();
  await page.goBack();
  // Arrows in the field choose a result, and Enter opens the chosen one.
  await page.getByRole('combobox', { name: 'Where' }).selectOption('');
  await expect(found.nth(1)).toBeVisible();
  const field = page.getByRole('searchbox', { name: 'Search everything' });
  await field.press('ArrowDown');
  await expect(found.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/#\/search/);
  await field.press('ArrowUp');
  await field.press('Enter');
  await expect(page).not.toHaveURL(/#\/search/);
  await page.goBack();
  await page.getByRole('combobox', { name: 'Where' }).selectOption('turn');
  await found.filter({ hasText: 'The whale sings' }).click();
  await expect(page).toHaveURL(/#\/run\/\d+\/turn\/\d+\?find=whale/);
  await expect.poll(() => marked(page)).toContain('whale');
  await page.evaluate(() => {
    location.hash = '#/inbox';
  });
  await expect.poll(() => marked(page)).toEqual([]);
  await canDecide(page);
});
