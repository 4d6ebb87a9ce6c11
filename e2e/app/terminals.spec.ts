import { readFileSync } from 'node:fs';
import { notesPath } from '@areas/terminals/contract/files';
import { terminalNoteSchema } from '@areas/terminals/contract/view';
import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { pressBoth } from '../fixtures/press-both';
import { type Bench, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = (script: string) => `name: Shell
steps:
  - id: shell
    type: step.command
    config:
      script: |
${script
  .split('\n')
  .map((line) => `        ${line}`)
  .join('\n')}
`;

/** The text of the shown terminal, including its scrollback. */
const shown = (page: Page) =>
  page.evaluate(() => {
    const rows = document.querySelectorAll('.xterm-accessibility-tree > div');
    return [...rows].map((row) => row.textContent ?? '').join('\n');
  });

const status = (page: Page) => page.locator('.terminal-foot');

async function begin(bench: Bench, muster: Muster, script: string): Promise<number> {
  const project = await bench.project(muster, { '.muster/workflows/w.yaml': workflow(script) });
  // The page can read a terminal's text only if it is also drawn for a screen reader.
  await muster.call('app.setLayout', { key: 'terminal.screenReader', value: true });
  await muster.page.reload();
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ state }) => state.commands[1]?.status === 'running');
  return runId;
}

/** Gaps in a terminal's bytes, discarded bytes and refused styles are reported on the console. */
function troubles(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().includes('discarded')) found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  return found;
}

const show = (page: Page, runId: number, name = 'c1') =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, `#/terminal/${runId}/${name}`);

test('a command is shown live, typed into, and its scrollback is whole after a reload', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await begin(
    bench,
    muster,
    'for i in $(seq 1 500); do echo "line $i"; done\nread -p "Name? " name\necho "Hello $name"\nread rest',
  );
  await show(page, runId);
  await expect.poll(() => shown(page)).toContain('Name?');
  await expect(status(page)).toHaveAttribute('data-status', 'live');
  await page.locator('[data-part="terminal-box"] textarea').focus();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await expect.poll(() => shown(page)).toContain('Hello Ada');
  await page.reload();
  await expect.poll(() => shown(page)).toContain('Hello Ada');
  await page.locator('[data-part="terminal-box"] textarea').focus();
  for (let screens = 0; screens < 20; screens += 1) await page.keyboard.press('Shift+PageUp');
  await expect.poll(() => shown(page)).toMatch(/^line 1\nline 2\n/);
  await expect(page.getByRole('button', { name: 'Follow the end' })).toBeVisible();
  await page.keyboard.press('Enter');
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  await expect(status(page)).toHaveAttribute('data-status', 'ended');
  const notes = readFileSync(notesPath(state.commands[1]?.outputPath ?? ''), 'utf8');
  const typed = notes
    .trim()
    .split('\n')
    .map((line) => terminalNoteSchema.parse(JSON.parse(line)));
  expect(typed.flatMap((note) => (note.kind === 'input' ? [note.data] : [])).join('')).toBe('Ada\r\r');
});

test('a flood is quiet soon after Ctrl+C, and no byte of it is skipped on screen', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  // The key may interrupt an escape sequence, and `^C` would then become part of it. CAN aborts the sequence.
  const runId = await begin(
    bench,
    muster,
    `trap 'printf "\\030"; echo; echo quiet now' INT\nyes "$(printf '\\033[31mred \\033[32mgreen\\033[0m %060d' 7)"\nread rest`,
  );
  const found = troubles(page);
  await show(page, runId);
  await expect.poll(() => shown(page)).toContain('red green');
  // Enough output that, without flow control, the screen would be far behind.
  const printed = async () => (await muster.call('run.commandOutput', { runId, commandId: 1 })).totalBytes;
  await expect.poll(printed).toBeGreaterThan(8_000_000);
  await page.locator('[data-part="terminal-box"] textarea').focus();
  const pressed = Date.now();
  await page.keyboard.press('Control+c');
  await expect.poll(() => shown(page), { intervals: [20] }).toContain('quiet now');
  const quiet = Date.now() - pressed;
  test.info().annotations.push({ type: 'Ctrl+C to quiet on screen', description: `${quiet} ms` });
  await page.keyboard.press('Enter');
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded' || row.status === 'failed');
  await expect(status(page)).toHaveAttribute('data-status', 'ended');
  expect(found).toEqual([]);
});

test('a terminal comes back by itself after a kill -9 of its host, and says what was lost', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await begin(bench, muster, 'echo before; read rest');
  await show(page, runId);
  await expect.poll(() => shown(page)).toContain('before');
  const pid = await muster.app.evaluate(({ app }) => {
    const found = app
      .getAppMetrics()
      .find((one) => one.serviceName === 'Muster terminal host' || one.name === 'Muster terminal host');
    return found?.pid ?? 0;
  });
  expect(pid).toBeGreaterThan(0);
  process.kill(pid, 'SIGKILL');
  await bench.until(muster, runId, ({ state }) => state.commands[1]?.status !== 'running');
  await expect(status(page)).toHaveAttribute('data-status', 'ended', { timeout: 120_000 });
  await expect(page.getByText(/The terminal host ended at .*, and the program with it/)).toBeVisible();
  await expect.poll(() => shown(page)).toContain('before');
});

test("a variable that an agent's terminal command exports in turn 1 is there in re-prompt 2", async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const steps = `name: Shells
steps:
  - id: work
    type: step.agent_task
    config:
      acp_profile_id: worker
      instruction: Set it up.
      re_prompts: [Look at it., Look again.]
`;
  const script = `match:
  - when: Set it up
    reply: { do: [{ run: { command: 'export TOOL=installed; greet() { echo "greeted by $1"; }', via: terminal } }], text: Done. }
  - when: Look again
    reply: { do: [{ run: { command: 'greet $TOOL', via: terminal } }], text: Seen. }
default: Hm.
`;
  const project = await bench.project(muster, scripted(steps, script));
  await muster.call('app.setLayout', { key: 'terminal.screenReader', value: true });
  await page.reload();
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(state.outcome).toBe('succeeded');
  const { items } = await muster.call('run.transcript', { runId, turnId: 3 });
  expect(JSON.stringify(items)).toContain('greeted by installed');
  await pressBoth(page, 'g', 's');
  await page.getByRole('option', { name: /Shell of worker/ }).click();
  await expect.poll(() => shown(page)).toContain('greeted by installed');
  await expect(status(page)).toHaveAttribute('data-status', 'ended');
});
