import { expect, test } from '../fixtures/test';

const plan = (ids: number) =>
  `${JSON.stringify({ branchName: 'ralph/shots', userStories: Array.from({ length: ids }, (_, i) => ({ id: `US-00${i + 1}`, title: ['Log in with a key', 'A list of the open orders', 'Export as CSV with a very long title that does not fit on one line of the list', 'Dark colours', 'Search'][i], priority: i + 1, passes: false })) }, null, 2)}\n`;
const commit = (id: string) => `git add prd.json progress.txt && git -c user.name=W -c user.email=w@e.org commit -qm "feat: ${id}"`;
const script = `
match:
  - when: '^Your story: US-001'
    reply:
      do:
        - edit: { path: prd.json, find: "\\"priority\\": 1,\\n      \\"passes\\": false", replace: "\\"priority\\": 1,\\n      \\"passes\\": true" }
        - run: { command: '${commit('US-001')}' }
      text: "Added the login with a key.\\nResult: completed"
      usage: { input_tokens: 15200, output_tokens: 2100, cost_usd: 0.21 }
  - when: 'This is a second try'
    reply:
      do:
        - edit: { path: prd.json, find: "\\"priority\\": 2,\\n      \\"passes\\": false", replace: "\\"priority\\": 2,\\n      \\"passes\\": true" }
        - run: { command: '${commit('US-002')}' }
      text: "Now the list is there.\\nResult: completed"
      usage: { input_tokens: 9000, output_tokens: 900, cost_usd: 0.09 }
  - when: '^Your story: US-002'
    reply:
      text: "I could not make the tests pass; 3 of them still fail.\\nResult: failed"
      usage: { input_tokens: 18000, output_tokens: 1900, cost_usd: 0.2 }
  - when: '^Your story: US-003'
    reply:
      do:
        - run: { command: 'ls -la' }
      text: "Which separator is meant, comma or semicolon? I need your decision on US-003.\\nResult: blocked"
      usage: { input_tokens: 5000, output_tokens: 300, cost_usd: 0.04 }
  - when: '^Your story: US-004'
    reply:
      do: [ { wait_for_file: go } ]
      text: "Nothing to do.\\nResult: completed"
default: "Nothing."
`;

test('shots', async ({ bench }) => {
  test.setTimeout(200_000);
  const muster = await bench.launch();
  const { page } = muster;
  await muster.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900));
  const shot = async (name: string, themes = ['light', 'dark']) => {
    for (const theme of themes) {
      await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; }, theme);
      await page.waitForTimeout(250);
      await page.screenshot({ path: `/tmp/shots/loops-${name}-${theme}.png` });
    }
  };
  const project = await bench.project(muster, {
    'prd.json': plan(5),
    '.muster/agents.yaml': 'profiles:\n  - {kind: scripted, id: worker, name: Worker, script: .muster/worker.yaml}\n',
    '.muster/worker.yaml': script,
  });
  await page.reload();
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await page.waitForTimeout(1200);
  await shot('01-empty');
  await page.getByRole('button', { name: /Start the sample loop/ }).click();
  await page.waitForTimeout(3000);
  await shot('02-sample', ['light']);
  await page.waitForTimeout(7000);
  await shot('03-sample-done');
  await page.keyboard.press('l');
  await page.waitForTimeout(800);
  await shot('04-logs');
  await page.keyboard.press('l');
  await muster.call('loop.start', { projectId: project.id, folder: '.', worker: 'worker', iterations: 6 });
  await expect(page.getByText('Blocked').first()).toBeVisible({ timeout: 30_000 }).catch(() => {});
  await page.waitForTimeout(4000);
  await page.getByRole('option', { name: /ralph\/shots/ }).click();
  await page.waitForTimeout(800);
  await shot('05-blocked');
  await page.keyboard.press('a');
  await page.waitForTimeout(2500);
  await shot('06-after', ['light']);
  await page.goto(`${page.url().split('#')[0]}#/loop/2/1/attempt/2`).catch(() => {});
  await page.waitForTimeout(800);
  await shot('07-failed-attempt');
  await page.keyboard.press('n');
  await page.waitForTimeout(800);
  await page.getByLabel('Folder').fill('nowhere');
  await page.waitForTimeout(900);
  await shot('08-form-broken', ['light']);
  await page.getByLabel('Folder').fill('.');
  await page.getByLabel('Branch').fill('ralph/again');
  await page.waitForTimeout(900);
  await shot('09-form');
});
