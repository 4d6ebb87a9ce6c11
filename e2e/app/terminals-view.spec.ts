import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesPath } from '@areas/terminals/contract/files';
import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { type Bench, expect, test, WORKFLOW } from '../fixtures/test';

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

/** The text of the shown terminal. */
const shown = (page: Page) =>
  page.evaluate(() => {
    const rows = document.querySelectorAll('.xterm-accessibility-tree > div');
    return [...rows].map((row) => row.textContent ?? '').join('\n');
  });
const foot = (page: Page) => page.locator('.terminal-foot');
const keyboard = (page: Page) => page.locator('[data-part="terminal-box"] textarea').focus();

/** Runs this script in a terminal, which is shown. */
async function begin(bench: Bench, muster: Muster, script: string): Promise<{ runId: number; path: string }> {
  const { page } = muster;
  const project = await bench.project(muster, { '.muster/workflows/w.yaml': workflow(script) });
  await muster.call('app.setLayout', { key: 'terminal.screenReader', value: true });
  await page.reload();
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ state }) => state.commands[1]?.status === 'running');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/terminal/${runId}/c1`);
  await expect(foot(page)).toHaveAttribute('data-status', 'live');
  return { runId, path: project.path };
}

test('the search in a terminal finds, counts and goes on by keys', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  await begin(bench, muster, 'for i in 1 2 3; do echo "needle $i"; echo hay; done; read rest');
  await expect.poll(() => shown(page)).toContain('needle 3');
  await keyboard(page);
  await page.keyboard.press('Control+f');
  const find = page.getByRole('searchbox', { name: 'Find in the terminal' });
  await find.fill('needle');
  await expect(page.locator('[data-part="terminal-find"]')).toContainText('3 of 3');
  await find.press('Enter');
  await expect(page.locator('[data-part="terminal-find"]')).toContainText('2 of 3');
  await find.press('Shift+Enter');
  await expect(page.locator('[data-part="terminal-find"]')).toContainText('3 of 3');
  await find.fill('no such thing');
  await expect(page.locator('[data-part="terminal-find"]')).toContainText('Not found');
  await find.press('Escape');
  await expect(page.locator('[data-part="terminal-box"] textarea')).toBeFocused();
});

test('a link to a file opens the editor at its line, and an address only after main has asked', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const editor = join(bench.scratch, 'editor.sh');
  const opened = join(bench.scratch, 'opened.txt');
  writeFileSync(
    editor,
    `#!/bin/sh\nprintf '%s %s' "$1" "$2" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
  );
  chmodSync(editor, 0o755);
  const { runId } = await begin(
    bench,
    muster,
    'echo "error in $PWD/README.md:7:1"; echo "see https://example.org/help"; read rest',
  );
  await expect.poll(() => shown(page)).toContain('example.org');
  await muster.call('settings.set', { settings: { editorCommand: `${editor} {file} {line}` } });
  await muster.app.evaluate(({ dialog }) => {
    const asked: string[] = [];
    const showMessageBox = async (options: { detail?: string }) => {
      asked.push(options.detail ?? '');
      return { response: 1, checkboxChecked: false };
    };
    Object.assign(globalThis, { askedOfMain: asked });
    Object.assign(dialog, { showMessageBox });
  });
  await keyboard(page);
  await page.keyboard.press('Control+Shift+l');
  const links = page.getByRole('menu', { name: 'Links in the terminal' });
  await expect(links.getByRole('menuitem')).toHaveCount(2);
  await page.keyboard.press('1');
  await expect
    .poll(() => muster.app.evaluate(() => globalThis.askedOfMain))
    .toEqual(['https://example.org/help']);
  await keyboard(page);
  await page.keyboard.press('Control+Shift+l');
  await expect(links.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('2');
  await expect.poll(() => existsSync(opened)).toBe(true);
  expect(readFileSync(opened, 'utf8')).toMatch(/README\.md 7$/);
  await keyboard(page);
  await page.keyboard.press('Enter');
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
});

test('several lines are pasted only after a question, where the program would run each', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await begin(bench, muster, 'echo ready; read a; read b; echo "a=$a b=$b"');
  await expect.poll(() => shown(page)).toContain('ready');
  await muster.app.evaluate(({ clipboard }) => clipboard.writeText('one\ntwo\n'));
  await keyboard(page);
  await page.keyboard.press('Control+Shift+v');
  const question = page.getByRole('dialog', { name: 'Paste 2 lines?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  expect(await shown(page)).not.toContain('one');
  await keyboard(page);
  await page.keyboard.press('Control+Shift+v');
  await question.getByRole('button', { name: 'Paste', exact: true }).click();
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  await expect.poll(() => shown(page)).toContain('a=one b=two');
});

test("a shell's commands have their exit beside them, and jumps; letters grow; a password stays out of the notes", async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await begin(
    bench,
    muster,
    `mark() { printf '\\033]133;A\\007$ %s\\n' "$1"; seq 1 60; printf '\\033]133;D;%s\\007' "$2"; }
mark first 0
mark second 2
read -s -p "Password? " secret
echo
read rest`,
  );
  await expect.poll(() => shown(page)).toContain('Password?');
  await keyboard(page);
  await page.keyboard.type('swordfish');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Shift+ArrowUp');
  await expect.poll(() => shown(page)).toContain('$ second');
  await expect(page.locator('.terminal-mark[data-exit="2"]')).toBeVisible();
  await page.keyboard.press('Control+Shift+ArrowUp');
  await expect.poll(() => shown(page)).toContain('$ first');
  await expect(page.locator('.terminal-mark[data-exit="0"]')).toBeVisible();
  const rows = () => page.locator('.xterm-accessibility-tree > div').count();
  const before = await rows();
  await page.keyboard.press('Control+Shift+Equal');
  await page.keyboard.press('Control+Shift+Equal');
  await expect.poll(rows).toBeLessThan(before);
  await page.keyboard.press('Control+Shift+Digit0');
  await expect.poll(rows).toBe(before);
  await page.reload();
  await expect(foot(page)).toHaveAttribute('data-status', 'live');
  await keyboard(page);
  await page.keyboard.press('Control+Shift+ArrowUp');
  await expect(page.locator('.terminal-mark[data-exit="2"]')).toBeVisible();
  await page.keyboard.press('Enter');
  const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  const notes = readFileSync(notesPath(state.commands[1]?.outputPath ?? ''), 'utf8');
  expect(notes).not.toContain('swordfish');
  expect(notes).toContain('"hidden":true');
});

test('a terminal view survives a kill -9 of the core, and shows everything when it is opened again', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await begin(bench, muster, 'echo before; read rest');
  await expect.poll(() => shown(page)).toContain('before');
  const pid = await muster.corePid();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => muster.corePid(), { timeout: 120_000 }).not.toBe(pid);
  await expect(foot(page)).toHaveAttribute('data-status', 'live');
  expect(await shown(page)).toContain('before');
  await page.reload();
  await expect(foot(page)).toHaveAttribute('data-status', 'live', { timeout: 120_000 });
  await expect.poll(() => shown(page)).toContain('before');
  await keyboard(page);
  await page.keyboard.press('Enter');
  const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(state.commands[1]?.status).toBe('exited');
});

/** Number of processes with this word among their arguments; zombies have none. */
function alive(word: string): number {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => !line.startsWith('Z') && line.split(/\s+/).includes(word)).length;
}

for (const [how, word] of [
  ['quit', '86411'],
  ['killed with -9', '86412'],
] as const) {
  test(`Muster ${how} leaves no process of a terminal`, async ({ bench }) => {
    const muster = await bench.launch();
    await begin(bench, muster, `trap '' HUP TERM; setsid sleep ${word} & sleep ${word}`);
    await expect.poll(() => alive(word)).toBeGreaterThanOrEqual(2);
    if (how === 'quit') await muster.close();
    else process.kill(muster.app.process().pid ?? 0, 'SIGKILL');
    await expect.poll(() => alive(word), { timeout: 120_000 }).toBe(0);
  });
}

test('a chord that no system keeps for itself leaves the terminal, and another one can take its place', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  await begin(bench, muster, 'read rest');
  const keys = page.locator('[data-part="terminal-box"] textarea');
  await keyboard(page);
  await page.keyboard.press('Control+Shift+X');
  await expect(keys).not.toBeFocused();
  await muster.call('settings.set', { settings: { keys: { 'terminal.leave': 'mod+shift+y' } } });
  await expect(foot(page)).toContainText('Y');
  await keyboard(page);
  await page.keyboard.press('Control+Shift+X');
  await expect(keys).toBeFocused();
  await page.keyboard.press('Control+Shift+Y');
  await expect(keys).not.toBeFocused();
});
