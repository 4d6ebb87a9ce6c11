import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Muster } from '../fixtures/launch';
import { pressBoth } from '../fixtures/press-both';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Costly
budget: {cost_usd: 4}
steps:
  - {id: told, type: step.agent_task, config: {acp_profile_id: worker, instruction: Say what it cost.}}
  - {id: untold, type: step.agent_task, config: {acp_profile_id: worker, instruction: Say nothing.}}
cables:
  - {from: told.data_out, to: untold.data_in}
`;
const script = `match:
  - when: Say nothing
    reply: Nothing.
default:
  text: Done.
  usage: {input_tokens: 10, output_tokens: 5, cost_usd: 1.00}
`;
const DAY_MS = 86_400_000;

/** Repeats the run as if it had happened some days ago. */
async function earlier(muster: Muster, runId: number, days: number): Promise<void> {
  const path = join(mkdtempSync(join(tmpdir(), 'spend-')), 'run.jsonl');
  await muster.call('run.export', { runId, path });
  const { row } = await muster.call('run.get', { runId });
  const lines = readFileSync(path, 'utf8')
    .replaceAll(row.uid, `01J00000${days}0${row.uid.slice(10)}`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { at?: number })
    .map((line) => (line.at === undefined ? line : { ...line, at: line.at - days * DAY_MS }));
  const back = `${path}.back`;
  writeFileSync(back, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  await muster.call('run.import', { path: back });
}

/** How many lines a text takes. */
function linesOf(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element.firstChild ?? element);
  return range.getClientRects().length;
}

/** How many pixels a select is too narrow for the chosen option. */
function cutWidth(select: HTMLSelectElement): number {
  const { width } = select.getBoundingClientRect();
  select.style.cssText = 'flex: none; width: auto; max-width: none; field-sizing: content';
  const needed = select.getBoundingClientRect().width;
  select.style.cssText = '';
  return Math.max(0, Math.ceil(needed - width));
}

test('the spend is drawn by day, sorted, held against budgets and exported, and unreported amounts are never zero', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  await earlier(muster, runId, 2);
  await pressBoth(page, 'g', '$');
  const spend = page.getByRole('region', { name: 'Spend' });
  const table = spend.getByRole('table');
  const rows = table.getByRole('row');
  // By day: two charts, each with a text alternative, and each day's cost with its unreported part.
  const chart = spend.getByRole('img', { name: /^Cost by day: The highest is \$1\.00/ });
  await expect(chart).toBeVisible();
  await expect(spend.getByRole('img', { name: /^Time of agents by day/ })).toBeVisible();
  const isDrawn = () =>
    chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
        data: [],
      };
      return data.some((value) => value > 0);
    });
  await expect.poll(isDrawn).toBe(true);
  await expect(rows.nth(1)).toContainText('$1.00 + 1 not reported');

  // By step, sorted by a column's head: unreported values come last in both directions.
  await page.keyboard.press('7');
  await expect(table).toHaveAccessibleName('Spend by step');
  const cost = table.getByRole('columnheader', { name: 'Cost' });
  for (const order of ['descending', 'ascending']) {
    await cost.getByRole('button').click();
    await expect(cost).toHaveAttribute('aria-sort', order);
    await expect(rows.nth(1)).toContainText('$2.00');
    await expect(rows.nth(2).getByRole('cell').last()).toHaveText('not reported');
  }
  // By run: the used part of the run's budget.
  await spend.getByRole('combobox', { name: 'Added up by' }).selectOption({ label: 'By run' });
  await expect(rows.nth(1)).toContainText('25 % of $4.00');
  await page.reload();
  await expect(table).toHaveAccessibleName('Spend by run');

  // At 200 % the choices are readable: a select is as wide as its words.
  const zoom = (factor: number) =>
    muster.app.evaluate(({ BrowserWindow }, to) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.setContentSize(1280, 800);
      window?.webContents.setZoomFactor(to);
    }, factor);
  await zoom(2);
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(640);
  for (const name of ['Added up by', 'Time', 'Project'])
    expect(await spend.getByRole('combobox', { name, exact: true }).evaluate(cutWidth), name).toBe(0);
  for (const title of await table.getByRole('columnheader').getByRole('button').all())
    expect(await title.evaluate(linesOf), (await title.textContent()) ?? '').toBe(1);
  await zoom(1);

  const path = join(mkdtempSync(join(tmpdir(), 'spend-')), 'table.csv');
  await muster.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, path);
  await page.keyboard.press('e');
  await expect(page.getByText(`Exported to ${path}`)).toBeVisible();
  expect(readFileSync(path, 'utf8').split('\r\n')[0]).toContain('cost_usd,cost_not_reported');
  await page.keyboard.press('y');
  await expect
    .poll(() => muster.app.evaluate(({ clipboard }) => clipboard.readText()))
    .toBe(readFileSync(path, 'utf8'));
});
