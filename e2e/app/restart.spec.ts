import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Muster } from '../fixtures/launch';
import { pressBoth } from '../fixtures/press-both';
import { canDecide, expect, letGo, scripted, test, WORKFLOW } from '../fixtures/test';

const steps = (onInterrupt: string, more = '') => `name: Held
steps:
  - id: work
    type: step.agent_task
    on_interrupt: ${onInterrupt}
    config:
      acp_profile_id: worker
      instruction: Begin.
      re_prompts: [Go on.]
${more}`;

/** Its second turn waits for a file, so that a test can act in the middle of it. */
const held = (folder: string) => `match:
  - when: cut off
    reply: Taken up again.
  - when: Go on
    reply:
      do: [{ say: 'Half of it. ' }, { wait_for_file: ${folder}/go }]
      text: The other half.
default: Begun.
`;

const inSecondTurn = ({ state }: { state: { turns: Record<number, { status: string; ordinal: number }> } }) =>
  Object.values(state.turns).some((turn) => turn.ordinal === 1 && turn.status === 'in_flight');

/** Waits until the second turn has streamed the first half of its text. */
async function halfSaid(muster: Muster, runId: number): Promise<void> {
  const said = async () => {
    const { items } = await muster.call('run.transcript', { runId, turnId: 2 });
    return items.map((item) => (item.type === 'text' ? item.text : '')).join('');
  };
  await expect.poll(said).toContain('Half of it.');
}

async function showRun(muster: Muster, runId: number): Promise<void> {
  const { row } = await muster.call('run.get', { runId });
  await muster.page.evaluate((hash) => {
    location.hash = hash;
  }, `#/run/${row.uid}`);
  await expect(muster.page.getByRole('article', { name: 'Run Held' })).toBeVisible();
}

test('a reload in the middle of a run shows the same', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(steps('retry'), held(bench.scratch)));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, inSecondTurn);
  await showRun(muster, runId);
  const turns = page.getByRole('article', { name: 'Run Held' });
  await expect(turns.getByText('Half of it.')).toBeVisible();
  // The text is plain until it can be drawn as Markdown.
  await expect(turns.locator('.markdown.plain')).toHaveCount(0);
  // The page's text without its times, which change by themselves.
  const told = async () =>
    ((await turns.textContent()) ?? '').replaceAll(/\d+(\.\d+)? ?(ms|min|s|h)( ago)?|just now/g, 'T');
  const before = await told();
  await page.reload();
  await expect(turns.getByText('Half of it.')).toBeVisible();
  await expect.poll(told).toBe(before);
  letGo(bench.scratch);
  await expect(turns.getByText('The other half.')).toBeVisible();
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
});

test('the window recovers from a kill -9 of the core in mid-turn, and on_interrupt: retry goes on', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const project = await bench.project(muster, scripted(steps('retry'), held(bench.scratch)));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, inSecondTurn);
  await showRun(muster, runId);
  const pid = await muster.corePid();
  process.kill(pid, 'SIGKILL');
  const { state } = await bench.until(
    muster,
    runId,
    (run) =>
      Object.values(run.state.turns).some((turn) => turn.status === 'interrupted') && inSecondTurn(run),
  );
  expect(await muster.corePid()).not.toBe(pid);
  expect(Object.values(state.turns).filter((turn) => turn.ordinal === 0)).toHaveLength(1);
  const page = muster.page.getByRole('article', { name: 'Run Held' });
  await expect(page.getByText(/interrupted|cut off/i).first()).toBeVisible();
  letGo(bench.scratch);
  const end = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(end.state.activations[1]?.outputs.data_out?.content).toMatchObject({
    merged_content: 'Begun.\n───── Re-prompt 1 ─────\nHalf of it. The other half.',
  });
});

test('on_interrupt: ask waits at its gate after a kill -9 of the core in mid-turn, and goes on after the answer', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(steps('ask'), held(bench.scratch)));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, inSecondTurn);
  await halfSaid(muster, runId);
  process.kill(await muster.corePid(), 'SIGKILL');
  const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  expect(state.gates[1]).toMatchObject({
    kind: 'interrupted_turn',
    evidence: expect.stringContaining('Half of it.'),
  });
  await pressBoth(page, 'g', 'i');
  await page.getByRole('button', { name: /Continue in the session/ }).click();
  const end = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(end.state.turns[2]?.status).toBe('interrupted');
  expect(end.state.turns[3]).toMatchObject({
    kind: 'continue',
    response: expect.stringContaining('Taken up again.'),
  });
});

test('a permission gate is answered after a restart, and the answer is given when the turn asks again', async ({
  bench,
}) => {
  const workflow =
    'name: Held\nsteps:\n  - id: work\n    type: step.agent_task\n    on_interrupt: retry\n    config: {acp_profile_id: worker, instruction: Write it.}\n';
  const script =
    "default:\n  do: [{ write: { path: made.txt, content: 'by leave', ask: true } }]\n  text: Written.\n";
  const muster = await bench.launch();
  const project = await bench.project(muster, scripted(workflow, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  process.kill(await muster.corePid(), 'SIGKILL');
  const asked = await bench.until(muster, runId, ({ state }) => state.turns[2]?.status === 'in_flight');
  expect(asked.state.gates[1]).toMatchObject({ kind: 'permission', status: 'open', turnId: 1 });
  await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'allow' } });
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(Object.values(state.gates)).toHaveLength(1);
  expect(state.gates[1]).toMatchObject({ status: 'resolved', delivered: true });
});

test('a permission request of a turn that was cut off says which question comes first', async ({ bench }) => {
  const workflow =
    'name: Held\nsteps:\n  - {id: work, type: step.agent_task, title: Write it, on_interrupt: ask, config: {acp_profile_id: worker, instruction: Write it.}}\n';
  const script =
    "default:\n  do: [{ write: { path: made.txt, content: 'by leave', ask: true } }]\n  text: Written.\n";
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  process.kill(await muster.corePid(), 'SIGKILL');
  await bench.until(muster, runId, ({ row }) => row.openGates === 2);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/gate/${runId}/1`);
  const first = page.getByRole('link', { name: 'Write it: a turn was cut off' });
  await expect(page.getByText('The turn that asked this was cut off.')).toBeVisible();
  await first.click();
  await expect(page.getByText(/^Turn 1 of 1 was cut off: Muster ended while it was in flight/)).toBeVisible();
  await page.getByRole('button', { name: /^Send again/ }).click();
  // The turn that replaces it asks the same again: its question is the one that is open already.
  await bench.until(muster, runId, ({ state }) => state.turns[2]?.status === 'in_flight');
  await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'allow' } });
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
});

test('gates still wait after the whole app was restarted, and finished steps are not run again', async ({
  bench,
}) => {
  const gate =
    '  - id: ok\n    type: step.approval\n    config: {message: Go?}\ncables:\n  - {from: work.data_out, to: ok.data_in}\n';
  const first = await bench.launch();
  const project = await bench.project(first, scripted(steps('ask', gate), 'default: Done.\n'));
  const { runId } = await first.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(first, runId, ({ row }) => row.status === 'waiting');
  await first.close();
  const second = await bench.launch();
  const { state, row } = await second.call('run.get', { runId });
  expect(row.status).toBe('waiting');
  await pressBoth(second.page, 'g', 'i');
  await expect(second.page.getByText('Go?')).toBeVisible();
  await canDecide(second.page);
  await second.page.keyboard.press('a');
  const end = await bench.until(second, runId, (run) => run.row.status === 'succeeded');
  expect(Object.keys(end.state.turns)).toEqual(Object.keys(state.turns));
});

test('a second instance gives way to the first, which shows the requested page', async ({ bench }) => {
  const muster = await bench.launch();
  const project = await bench.project(muster, scripted(steps('retry'), 'default: Done.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(muster, runId, (run) => run.row.status === 'succeeded');
  await bench.launch({ args: [`muster://run/${row.uid}`] }).catch(() => undefined);
  await expect(muster.page.getByRole('article', { name: 'Run Held' })).toBeVisible();
});

/** The process that holds the single-instance lock; null if none does. */
function holderOf(dataDir: string): number | null {
  try {
    return Number(readlinkSync(join(dataDir, 'SingletonLock')).split('-').at(-1));
  } catch {
    return null;
  }
}

test('a second start while the first is on its way out opens Muster again when that is gone', async ({
  bench,
}) => {
  test.skip(process.platform !== 'linux', 'The lock is a link to its process on Linux alone.');
  // Tests start every app with this flag; the restarted app gets the same arguments.
  const muster = await bench.launch({ args: ['--no-sandbox'] });
  const first = holderOf(bench.dataDir);
  const core = await muster.corePid();
  // The app cannot quit before the core answers.
  process.kill(core, 'SIGSTOP');
  await muster.app.evaluate(({ app }) => void setImmediate(() => app.quit()));
  const second = bench.launch({ args: ['muster://runs'] }).catch(() => null);
  expect(await second).toBeNull();
  const gone = muster.app.waitForEvent('close');
  process.kill(core, 'SIGCONT');
  await gone;
  const log = join(bench.dataDir, 'logs', 'main.log');
  const started = () => existsSync(log) && readFileSync(log, 'utf8').match(/core: running/g)?.length;
  try {
    await expect.poll(started, { timeout: 120_000 }).toBe(2);
    expect(holderOf(bench.dataDir)).not.toBe(first);
  } finally {
    const pid = holderOf(bench.dataDir);
    if (pid !== null && pid !== first) process.kill(pid, 'SIGTERM');
  }
  await expect.poll(() => holderOf(bench.dataDir), { timeout: 120_000 }).toBeNull();
});

test("a window that does not answer is loaded again on the operator's request, and only then", async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { app, page } = muster;
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
  const asked = await app.evaluate(async ({ BrowserWindow, dialog }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) throw new Error('no window');
    const gone = new Promise<string>((resolve) => {
      window.webContents.once('render-process-gone', (_event, { reason }) => resolve(reason));
    });
    const messages: string[] = [];
    const answer =
      (response: number) =>
      async (...[over, options]: unknown[]) => {
        messages.push(over === window ? (options as { message: string }).message : 'hangs on nothing');
        return { response, checkboxChecked: false };
      };
    dialog.showMessageBox = answer(1);
    window.emit('unresponsive');
    await new Promise((resolve) => setImmediate(resolve));
    const waited = !window.webContents.isCrashed();
    dialog.showMessageBox = answer(0);
    const back = new Promise<void>((resolve) => {
      window.webContents.once('did-finish-load', () => resolve());
    });
    window.emit('unresponsive');
    const reason = await gone;
    await back;
    return { messages, waited, reason };
  });
  expect(asked).toEqual({
    messages: ['The window does not answer.', 'The window does not answer.'],
    waited: true,
    reason: expect.stringMatching(/crashed|killed/),
  });
  const shown = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
    );
  await expect.poll(shown, { timeout: 120_000 }).toContain('restarted. Nothing was lost.');
});
