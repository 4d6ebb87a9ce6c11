import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

test('the window has no Node, a strict policy, and goes nowhere', async ({ shared: bench }) => {
  const { app, page } = await bench.launch();
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
  const seen = await page.evaluate(() => ({
    node: ['process', 'require', 'module', 'Buffer', 'global'].filter((name) => name in window),
    bridge: Object.keys(window.muster).sort(),
  }));
  expect(seen.node).toEqual([]);
  expect(seen.bridge).toEqual(['call', 'onPush', 'pathOf', 'subscribe']);

  const preferences = await app.evaluate(({ BrowserWindow }) => {
    // Electron has this method, but its types omit it.
    type Asked = {
      getLastWebPreferences(): Record<'sandbox' | 'contextIsolation' | 'nodeIntegration', boolean>;
    };
    const contents: unknown = BrowserWindow.getAllWindows()[0]?.webContents;
    const { sandbox, contextIsolation, nodeIntegration } = (contents as Asked).getLastWebPreferences();
    return { sandbox, contextIsolation, nodeIntegration };
  });
  expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false });

  const address = page.url();
  await page.evaluate(() => {
    location.href = 'https://example.org/';
  });
  await page.evaluate(() => window.open('https://example.org/'));
  // A locator would wait for the refused navigation.
  const after = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
  );
  expect(after).toEqual([address]);
  expect(await page.evaluate(() => document.querySelector('nav') !== null)).toBe(true);

  const refused = await page.evaluate(async () => {
    const outcome = async (what: () => unknown) => {
      try {
        await what();
        return 'allowed';
      } catch {
        return 'refused';
      }
    };
    return {
      // In a separate task, because the policy permits code that the debugger evaluates.
      evaluated: await new Promise((resolve) => {
        setTimeout(() => resolve(outcome(() => new Function('return 1')())));
      }),
      fetched: await outcome(() => fetch('https://example.org/')),
      asked: await outcome(() => navigator.mediaDevices.getUserMedia({ audio: true })),
    };
  });
  expect(refused).toEqual({ evaluated: 'refused', fetched: 'refused', asked: 'refused' });
});

test('text of an agent is shown as text, with any content', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const nasty =
    '<img src=x onerror="document.title=1"><script>document.title=2</script> [here](javascript:document.title=3)';
  const flow =
    'name: Nasty\nsteps:\n  - id: work\n    type: step.agent_task\n    config: {acp_profile_id: worker, instruction: Go.}\n';
  const project = await bench.project(muster, scripted(flow, `default: ${JSON.stringify(nasty)}\n`));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(muster, runId, (run) => run.row.status === 'succeeded');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/run/${row.uid}`);
  const run = page.getByRole('article', { name: 'Run Nasty' });
  await expect(run.getByText('<img src=x', { exact: false }).first()).toBeVisible();
  expect(await run.locator('img, script').count()).toBe(0);
  expect(await run.locator('a[href^="javascript"]').count()).toBe(0);
  expect(await page.title()).toBe('Runs – Muster');
});

test('calls that are not in the contract, and inputs that do not fit, are refused with one clear error', async ({
  shared: bench,
}) => {
  const { page } = await bench.launch();
  const call = (name: string, input: unknown) =>
    page.evaluate(([which, what]) => window.muster.call(which, what), [name, input] as const);
  expect(await call('run.steal', {})).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  expect(await call('run.get', { runId: 'one' })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', message: expect.stringContaining('runId') },
  });
  expect(await call('run.get', { runId: 77 })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('the page cannot open the dialog of the system for files or folders', async ({ bench }) => {
  const { page } = await bench.launch();
  const pickers = ['showOpenFilePicker', 'showSaveFilePicker', 'showDirectoryPicker'];
  expect(await page.evaluate((names) => names.filter((name) => name in window), pickers)).toEqual([]);
});
