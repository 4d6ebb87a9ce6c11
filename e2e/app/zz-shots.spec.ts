import { expect, scripted, test, WORKFLOW } from '../fixtures/test';
import { readFileSync } from 'node:fs';
const source = readFileSync(new URL('./sessions.spec.ts', import.meta.url), 'utf8');
const pick = (name: string) => {
  const at = source.indexOf(`const ${name} = \``);
  const from = source.indexOf('`', at) + 1;
  let to = from;
  while (source[to] !== '`' || source[to - 1] === '\\') to += 1;
  return source.slice(from, to).replaceAll('\\`', '`').replaceAll('\\$', '$').replaceAll('\\\\', '\\');
};
test('shots', async ({ bench }) => {
  test.setTimeout(120_000);
  const muster = await bench.launch();
  const { page } = muster;
  await muster.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900));
  const project = await bench.project(muster, scripted(pick('steps'), pick('script')));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ state }) => state.gates[1]?.status === 'open');
  const go = (hash: string) => page.evaluate((hash) => { location.hash = hash; }, hash);
  const shot = async (name: string) => {
    for (const theme of ['light', 'dark'] as const) {
      await muster.call('settings.set', { settings: { theme } });
      await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; }, theme);
      await page.waitForTimeout(400);
      await page.screenshot({ path: `/tmp/shots/${name}-${theme}.png` });
    }
  };
  await go(`#/session/${runId}/1?show=transcript`);
  await page.waitForTimeout(1500);
  await shot('01-gate');
  await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'allow' } });
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  await muster.call('session.prompt', { runId, sessionId: 1, text: 'Wait here until I say go.' });
  await muster.call('session.prompt', { runId, sessionId: 1, text: 'And then Write a joke about it, in one line, please, and keep it short.' });
  await page.waitForTimeout(800);
  await shot('02-working');
  const hunk = (id: string, at: number, lines: string[]) => ({
    id, oldStart: at, oldLines: lines.filter((l) => !l.startsWith('+')).length,
    newStart: at, newLines: lines.filter((l) => !l.startsWith('-')).length, lines,
  });
  const files = [
    { path: 'src/greet.ts', oldPath: null, status: 'modified', added: 6, removed: 2, leftOut: null, hunks: [
      hunk('h1', 1, [' /** Greets somebody by their name. */', '-export function greet(name: string): string {', "-  return 'Hello ' + name;", '+export function greet(name: string, loud = false): string {', '+  const trimmed = name.trim();', '+  // An empty name would leave a hole in the sentence.', "+  if (trimmed === '') return 'Hello!';", '+  const said = `Hello ${trimmed}!`;', '+  return loud ? said.toUpperCase() : said;', ' }', ' ']),
      hunk('h2', 41, [' export const MOST = 40;', '-const a = 1;', '+const a = { b: [1, 2, 3], c: null };', ' export default a;']),
    ] },
    { path: 'src/renderer/views/sessions/deep/folder/greet.test.ts', oldPath: null, status: 'added', added: 5, removed: 0, leftOut: null, hunks: [hunk('h3', 1, ["+import { expect, it } from 'vitest';", "+import { greet } from './greet';", '+', "+it('greets', () => {", "+  expect(greet(' Ada ')).toBe('Hello Ada!');", '+});'])] },
    { path: 'icon.png', oldPath: null, status: 'modified', added: null, removed: null, leftOut: 'binary', hunks: [] },
    { path: 'docs/guide.md', oldPath: 'docs/old.md', status: 'renamed', added: 0, removed: 0, leftOut: null, hunks: [] },
    { path: 'gone.py', oldPath: null, status: 'deleted', added: 0, removed: 3, leftOut: null, hunks: [hunk('h4', 1, ['-def old():', '-    return None', '-'])] },
  ];
  await muster.app.evaluate(({ ipcMain }, files) => {
    const handlers = (ipcMain as never as { _invokeHandlers: Map<string, (e: unknown, r: { name: string; input: unknown }) => unknown> })._invokeHandlers;
    const [channel, real] = [...handlers.entries()].find(([name]) => name.includes('rpc')) ?? [];
    if (!channel || !real) throw new Error([...handlers.keys()].join());
    handlers.set(channel, (event, request) => {
      if (request.name === 'workspace.diff') return { ok: true, value: { files, truncated: false, live: true, path: '/tmp/w', branch: 'muster/x', file: null } };
      return real(event, request);
    });
  }, files);
  await go(`#/session/${runId}/1?show=changes`);
  await page.waitForTimeout(1200);
  await shot('03-changes');
  const comment = page.getByRole('button', { name: 'Comment', exact: true }).first();
  if (await comment.isVisible()) {
    await comment.click();
    await page.keyboard.type('Trim it once, where it comes in.');
    await shot('04-comment');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('j');
    await page.locator('.changes .stack-scroll').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
  }
  await shot('05-commented');
  await page.keyboard.press('\\');
  await shot('05b-whole');
  await page.keyboard.press('\\');
  await go(`#/session/${runId}/1?show=terminals`);
  await page.waitForTimeout(500);
  await shot('06-terminals');
  await go('#/sessions/grid');
  await page.waitForTimeout(500);
  await shot('07-grid-empty');
  const shells = `name: Shells
steps:
  - { id: one, type: step.command, config: { script: "for i in 1 2 3 4 5; do echo line $i; done; until [ -e go ]; do sleep 0.1; done" } }
  - { id: two, type: step.command, config: { script: "ls -la --color=always; until [ -e go ]; do sleep 0.1; done" } }
  - { id: three, type: step.command, config: { script: "git log --color=always; until [ -e go ]; do sleep 0.1; done" } }
`;
  const other = await bench.project(muster, { '.muster/workflows/w.yaml': shells });
  await muster.call('run.start', { projectId: other.id, file: WORKFLOW });
  await page.waitForTimeout(2500);
  await shot('08-grid');
  expect(true).toBe(true);
});
