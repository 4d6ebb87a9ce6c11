import { canDecide, expect, test, WORKFLOW } from '../fixtures/test';

const ITEMS = `name: Two items
workspace: folder
steps:
  - id: flaky
    type: step.command
    retry: { max_attempts: 1, delay_seconds: 0.1, on: all }
    config: { script: 'test -e tried || { touch tried; exit 3; }' }
  - id: each
    type: step.workflow
    config:
      for_each: { items: '["one", "two"]', as: name }
      body:
        steps:
          - { id: ask, type: step.approval, config: { message: 'Ship $ITEM?' } }
          - id: ship
            type: step.command
            when: $INPUTS.name == 'two'
            config: { script: 'echo shipped $ITEM' }
        cables: [{ from: ask.signal_out, to: ship.signal_in }]
cables: [{ from: flaky.signal_out, to: each.signal_in }]
`;

test('two gates of two items are answered in the window, and the run shows retry, items and skips as a tree', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, { [WORKFLOW]: ITEMS });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(muster, runId, (run) => run.row.openGates === 2);
  const show = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  await show(`#/run/${row.uid}`);
  const tree = page.getByRole('tree', { name: 'Steps' });
  const item = (name: RegExp) => tree.getByRole('treeitem', { name });
  await expect(item(/flaky/)).toContainText('×2');
  await expect(item(/Item 1/)).toContainText('Waits for you');
  await expect(item(/Item 2/)).toContainText('two');
  await show('#/inbox');
  for (const left of [1, 0]) {
    await page.getByRole('option', { name: `each ${2 - left} › ask` }).click();
    await expect(page.getByRole('article')).toContainText(left === 1 ? 'Ship one?' : 'Ship two?');
    await canDecide(page);
    await page.keyboard.press('a');
    await bench.until(muster, runId, (run) => run.row.openGates === left);
  }
  await bench.until(muster, runId, (run) => run.row.status === 'succeeded');
  await show(`#/run/${row.uid}`);
  await tree.focus();
  await expect(item(/each/)).toHaveAttribute('aria-expanded', 'false');
  await item(/each/).getByRole('button', { name: 'Open' }).click();
  for (const one of [/Item 2/, /Item 1/]) await item(one).click();
  await expect(item(/ship/).first()).toContainText('Skipped');
  await expect(item(/ship/).last()).toContainText('Succeeded');
});
