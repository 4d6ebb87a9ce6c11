import { findingsOfThemes } from '../fixtures/axe';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Mend
steps:
  - {id: check, type: step.command, config: {script: "exit 1"}}
`;

test('runs of one workflow are told apart by their instructions, renamed, found, and binned together', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, 'default: {text: Done.}\n'));
  const start = async (instruction: string) => {
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW, instruction });
    await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
    return runId;
  };
  await start('Mend the lock of the store.\nIt is not freed.');
  await start('Sort the imports.');
  await start('');
  await page.evaluate(() => {
    location.hash = '#/runs';
  });
  const list = page.getByRole('listbox', { name: 'Runs' });
  const options = list.getByRole('option');
  await expect(options).toHaveText([
    /^FailedMend#/,
    /^FailedSort the imports\.#/,
    /^FailedMend the lock of the store\.#/,
  ]);

  // Renamed by its key, with an undo, and found by words of its instruction.
  await options.filter({ hasText: 'Mend the lock' }).click();
  const run = (name: string) => page.getByRole('article', { name: `Run ${name}`, exact: true });
  await page.keyboard.press('F2');
  const field = run('Mend the lock of the store.').getByRole('textbox', { name: 'Name of the run' });
  await expect(field).toBeFocused();
  await page.keyboard.type('The leak');
  await page.keyboard.press('Enter');
  await expect(run('The leak').getByRole('heading', { name: 'The leak' })).toBeVisible();
  await expect(options.filter({ hasText: 'The leak' })).toHaveCount(1);
  expect(await findingsOfThemes(page, 'a renamed run', 'main')).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(run('Mend the lock of the store.')).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search the runs' });
  await search.fill('NOT freed');
  await expect(options).toHaveText([/^FailedMend the lock/]);
  await search.fill('');
  await expect(options).toHaveCount(3);

  // Several at once: by keys, with one question, and back again.
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 runs selected')).toBeVisible();
  await options.last().click({ modifiers: ['ControlOrMeta'] });
  await expect(list.getByRole('option', { selected: true })).toHaveCount(3);
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await expect(page.getByText('2 runs selected')).toBeVisible();
  expect(await findingsOfThemes(page, 'selected runs', 'main')).toEqual([]);
  await page.getByRole('button', { name: 'Move 2 runs to the bin' }).click();
  const question = page.getByRole('dialog', { name: 'Move 2 runs to the bin?' });
  await expect(question).toContainText('Sort the imports.');
  await question.getByRole('button', { name: 'Move 2 runs to the bin' }).click();
  await expect(options).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(options).toHaveCount(3);
  const resumed = page.getByRole('button', { name: 'Resume 3 runs' });
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(resumed).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(resumed).toBeHidden();
});
