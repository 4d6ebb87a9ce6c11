import { expect, scripted, test, WORKFLOW } from '../fixtures/test';
import { readFileSync } from 'node:fs';
const source = readFileSync(new URL('./sessions.spec.ts', import.meta.url), 'utf8');
const pick = (name: string) => {
  const at = source.indexOf(`const ${name} = \``);
  const from = source.indexOf('`', at) + 1;
  let to = from;
  while (source[to] !== '`' || source[to - 1] === '\\') to += 1;
  return source.slice(from, to).replace(/\$\{'[^']*'\.repeat\(80\)\}/, '        On and on.\n').replaceAll('\\`', '`').replaceAll('\\$', '$').replaceAll('\\\\', '\\');
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
  await page.getByRole('button', { name: /^Cancel turn/ }).click();
  await bench.until(muster, runId, ({ state }) => state.status === 'finished');
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
  await page.keyboard.press('Shift+A');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+R');
  await page.waitForTimeout(900);
  await shot('05-commented');
  await page.emulateMedia({ contrast: 'more' });
  await shot('05c-contrast');
  await page.emulateMedia({ contrast: 'no-preference' });
  await page.keyboard.press('\\');
  await shot('05b-whole');
  await page.keyboard.press('\\');
  await go(`#/session/${runId}/1?show=terminals`);
  await page.waitForTimeout(500);
  await shot('06-terminals');
  await go('#/sessions/grid');
  await page.waitForTimeout(500);
  await shot('07-grid-empty');
  const coding = `name: In parallel
steps:
  - id: code
    type: step.coding
    config:
      instruction: Write a joke
      coordination: parallel
      agents:
        - { role: builder, acp_profile_id: worker }
        - { role: tester, acp_profile_id: worker, instruction_override: Now the tests }
`;
  const par = await bench.project(muster, scripted(coding, pick('script')));
  const many = await muster.call('run.start', { projectId: par.id, file: WORKFLOW });
  await bench.until(muster, many.runId, ({ state }) => state.status === 'finished');
  await go(`#/session/${many.runId}/2?show=transcript`);
  await page.waitForTimeout(800);
  await shot('12-parallel');
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
  await go(`#/run/${runId}`);
  await page.waitForTimeout(800);
  await shot('09-run');
  const agent = await bench.project(muster, scripted(pick('steps').replace('Now the tests.', 'Now the shell.'), `match:
  - when: Build the greeting
    reply: { do: [{ run: { command: 'ls -la --color=always; git log --oneline', via: terminal } }], text: Done. }
  - when: Now the shell
    reply: { do: [{ run: { command: 'echo hello from the agent', via: terminal } }, { wait_for_file: never }], text: Seen. }
default: Hm.
`));
  const third = await muster.call('run.start', { projectId: agent.id, file: WORKFLOW });
  await bench.until(muster, third.runId, ({ state }) => state.turns[2]?.status === 'in_flight');
  await go(`#/session/${third.runId}/1?show=terminals`);
  await page.waitForTimeout(1500);
  await shot('10-agent-terminal');
  for (const [w, h] of [[1280, 800], [1920, 1080], [820, 700]] as const) {
    await muster.app.evaluate(({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0]?.setContentSize(w, h), [w, h] as const);
    await go(`#/session/${runId}/1?show=changes`);
    await page.waitForTimeout(1000);
    await page.screenshot({ path: `/tmp/shots/11-changes-${w}.png` });
  }
  expect(true).toBe(true);
});
