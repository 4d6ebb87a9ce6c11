/** What the operator has half written is there again, whatever is reloaded or killed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const ASKS = 'name: Asked\nsteps:\n  - {id: ok, type: step.approval, config: {message: Go on?}}\n';
const DOES =
  'name: Does\nsteps:\n  - {id: work, type: step.agent_task, config: {acp_profile_id: worker, instruction: Begin.}}\n';
const FILES = {
  ...scripted(ASKS, 'default: <task-result>A draft.</task-result>\n'),
  '.muster/workflows/does.yaml': DOES,
};

interface Place {
  readonly name: string;
  readonly field: (page: Page) => Locator;
  /** Brings the field into sight. */
  readonly open: (page: Page) => Promise<void>;
}

const go = (page: Page, hash: string) =>
  page.evaluate((next) => {
    location.hash = next;
  }, hash);

/** Letters that follow what was typed into a field that is gone count as typed, and keys of a new card rest. */
const pressUntil = (page: Page, key: string, field: Locator) =>
  expect(async () => {
    if (!(await field.isVisible())) await page.keyboard.press(key);
    await expect(field).toBeVisible({ timeout: 500 });
  }).toPass();

/** Adds a word to what is written in each place. */
async function write(page: Page, places: readonly Place[], word: string): Promise<void> {
  for (const { open, field } of places) {
    await open(page);
    await field(page).press('ControlOrMeta+End');
    await page.keyboard.type(` ${word}`);
    await expect(field(page)).toHaveText(new RegExp(`${word}$`));
  }
}

/** Every place shows all words, in their order. */
async function expectWritten(page: Page, places: readonly Place[], words: readonly string[]): Promise<void> {
  for (const { name, open, field } of places) {
    await open(page);
    await expect(field(page), name).toHaveText(new RegExp(`${words.join(' ')}$`));
  }
}

/** How many drafts on the disk end with a word. Chromium writes the newest state at the end of its log. */
function onDisk(dataDir: string, word: string): number {
  const folder = join(dataDir, 'chromium', 'Local Storage', 'leveldb');
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  const text = logs.map((name) => readFileSync(join(folder, name), 'latin1')).join('');
  return (text.split('muster.drafts').at(-1) ?? '').split(word).length - 1;
}

/** Ends the process that draws the window, and resolves when it has been loaded again. */
const killWindow = (app: ElectronApplication) =>
  app.evaluate(async ({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) throw new Error('no window');
    const back = new Promise<void>((resolve) => window.webContents.once('did-finish-load', () => resolve()));
    window.webContents.forcefullyCrashRenderer();
    await back;
  });

test('a reason, a team message, a prompt, new work and a file that are half written outlive a reload and every kill', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { id: projectId } = await bench.project(muster, FILES);
  const asked = await muster.call('run.start', { projectId, file: WORKFLOW });
  const done = await muster.call('run.start', { projectId, file: '.muster/workflows/does.yaml' });
  const members = [{ name: 'ana', agent: 'worker', prompt: 'Write.', iterative: true }];
  const team = await muster.call('team.start', { projectId, name: 'Writers', config: { members } });
  await bench.until(muster, asked.runId, ({ row }) => row.openGates === 1);
  await bench.until(muster, done.runId, ({ row }) => row.status === 'succeeded');
  await bench.until(muster, team.runId, ({ state }) => Object.keys(state.teams).length === 1);
  const visit = (hash: string, field: (page: Page) => Locator, then?: (page: Page) => Promise<void>) => ({
    field,
    open: async (page: Page) => {
      await go(page, hash);
      await then?.(page);
      await expect(field(page)).toBeVisible();
    },
  });
  const reason = (page: Page) => page.getByRole('textbox', { name: /^Reason/ });
  const newWork = (page: Page) =>
    page.getByRole('dialog', { name: 'New work' }).getByRole('textbox', { name: 'Prompt' });
  const places: readonly Place[] = [
    {
      name: 'reason',
      ...visit(`#/gate/${asked.runId}/1`, reason, async (page) => {
        await expect(page.getByRole('article', { name: 'ok' })).toBeVisible();
        await pressUntil(page, 'r', reason(page));
      }),
    },
    {
      name: 'team message',
      ...visit(`#/team/${team.runId}/1`, (page) => page.getByRole('textbox', { name: 'Message' })),
    },
    {
      name: 'prompt',
      ...visit(`#/session/${done.runId}/1`, (page) =>
        page.getByRole('region', { name: 'Your next prompt' }).getByRole('textbox', { name: 'Prompt' }),
      ),
    },
    {
      name: 'file',
      ...visit(`#/workflow/${projectId}/${encodeURIComponent(WORKFLOW)}?show=text`, (page) =>
        page.getByRole('textbox', { name: /^Text of/ }),
      ),
    },
    {
      name: 'new work',
      ...visit('#/runs', newWork, async (page) => {
        await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeAttached();
        await pressUntil(page, 'c', newWork(page));
      }),
    },
  ];
  const { page } = muster;
  await write(page, places, 'one');
  await page.reload();
  await expectWritten(page, places, ['one']);

  await page.reload();
  await write(page, places, 'two');
  process.kill(await muster.corePid(), 'SIGKILL');
  await muster.corePid();
  await page.reload();
  await expectWritten(page, places, ['one', 'two']);

  await page.reload();
  await write(page, places, 'three');
  await killWindow(muster.app);
  await expect.poll(() => onDisk(bench.dataDir, 'three')).toBe(places.length);
  const gone = muster.app.waitForEvent('close');
  process.kill(muster.app.process().pid ?? 0, 'SIGKILL');
  await gone;
  const again = await bench.launch();
  await expectWritten(again.page, places, ['one', 'two', 'three']);

  // The whole app is killed a moment after the last letter.
  await again.page.reload();
  await write(again.page, places, 'four');
  await expect.poll(() => onDisk(bench.dataDir, 'four')).toBe(places.length);
  const ended = again.app.waitForEvent('close');
  process.kill(again.app.process().pid ?? 0, 'SIGKILL');
  await ended;
  const last = await bench.launch();
  await expectWritten(last.page, places, ['one', 'two', 'three', 'four']);
});
