import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { gateAsking, resultsOf, startTeam } from '../fixtures/team';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const show = (muster: Muster, hash: string): Promise<void> =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

const article = (page: Page, name: string) => page.getByRole('article', { name });

const asksForText = `name: Asked for a text
steps:
  - id: port
    type: step.approval
    config: {message: Which port?, capture_response: true}
`;

test('a gate that asks for a text opens with its field and cannot be answered empty', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(asksForText, 'default: Done.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await show(muster, '#/inbox');
  const gate = article(page, 'port');
  const field = gate.getByRole('textbox', { name: 'Your answer' });
  await expect(field).toBeFocused();
  await canDecide(page);
  const send = gate.getByRole('button', { name: /^Send answer/ });
  await expect(send).toBeDisabled();
  await page.keyboard.press('ControlOrMeta+Enter');
  // The key of an approval moves the focus to the field.
  await page.keyboard.press('Escape');
  await expect(field).not.toBeFocused();
  await page.keyboard.press('a');
  await expect(field).toBeFocused();
  for (const answer of [{ option: 'approve' }, { option: 'approve', text: ' \n' }])
    await expect(muster.call('gate.resolve', { runId, gateId: 1, answer })).rejects.toThrow(/needs a text/);
  const { state } = await bench.until(muster, runId, () => true);
  expect(state.gates[1]?.status).toBe('open');
  await page.keyboard.type('8080');
  await expect(send).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+Enter');
  const end = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(end.state.activations[1]?.outputs.approved_out?.content).toBe('8080');
});

test('a second press of a key does not answer the gate that took the place of the first', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const workflow = 'name: Asked\nsteps:\n  - {id: ok, type: step.approval, config: {message: Go on?}}\n';
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  const runs: number[] = [];
  for (let index = 0; index < 2; index += 1) {
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    runs.push(runId);
  }
  const [first = 0, second = 0] = runs;
  await show(muster, `#/gate/${first}/1`);
  await expect(article(page, 'ok')).toBeVisible();
  await canDecide(page);
  // Presses in quick succession: the second one hits whatever card is shown by then.
  await page.evaluate(async (next) => {
    const press = () =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
    press();
    while (location.hash !== next) await new Promise((frame) => requestAnimationFrame(frame));
    for (let count = 0; count < 5; count += 1) {
      press();
      await new Promise((frame) => requestAnimationFrame(frame));
    }
  }, `#/gate/${second}/1`);
  await bench.until(muster, first, ({ row }) => row.status === 'succeeded');
  await canDecide(page);
  const { state } = await bench.until(muster, second, () => true);
  expect(state.gates[1]?.status).toBe('open');
  await page.keyboard.press('a');
  await bench.until(muster, second, ({ row }) => row.status === 'succeeded');
});

const shown = `name: Shown
steps:
  - id: code
    type: step.coding
    config:
      instruction: Build it.
      agents: [{role: builder, acp_profile_id: worker}]
  - id: check
    type: step.command
    config: {script: 'printf -- "- 1 failed\\n+ 2 passed\\n  in 3 s\\n"', terminal: false}
  - id: review
    type: step.red_team
    config: {acp_profile_id: reviewer, instruction: Attack it.}
  - id: ok
    type: step.approval
    config: {message: Take it?}
cables:
  - {from: code.diff_out, to: ok.data_in}
  - {from: check.data_out, to: ok.data_in}
  - {from: review.findings_out, to: ok.context_in}
`;

test('a diff, an output and findings are shown at a gate as such, and comments on the diff go into the reason', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, {
    ...scripted(
      shown,
      'default:\n  do:\n    - write: {path: src/limit.ts, content: "export const LIMIT = 5;\\n- not a list\\n"}\n    - write: {path: notes.md, content: "# Notes\\n"}\n  text: Built.\n',
    ),
    '.muster/agents.yaml':
      'profiles:\n  - {kind: scripted, id: worker, name: Worker, script: .muster/worker.yaml}\n  - {kind: scripted, id: reviewer, name: Reviewer, script: .muster/reviewer.yaml}\n',
    '.muster/reviewer.yaml': `default: |
  Looked at it.
  \`\`\`json
  {"decision": "approve", "findings": [
    {"severity": "low", "text": "A name is unclear"},
    {"severity": "high", "text": "The lock is not freed", "file": "src/limit.ts", "line": 12}]}
  \`\`\`
`,
  });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await show(muster, '#/inbox');
  const gate = article(page, 'ok');
  const changes = gate.getByRole('region', { name: 'Changes', exact: true });
  await expect(changes).toContainText('2 files changed');
  await expect(changes.getByRole('navigation', { name: 'Files that changed' })).toContainText('limit.ts');
  await expect(changes.locator('.diff-line.added')).toHaveCount(3);
  await expect(gate.locator('[data-part="output"]')).toHaveText('- 1 failed\n+ 2 passed\n  in 3 s');
  const findings = gate.getByRole('list', { name: /Findings|review/ }).getByRole('listitem');
  await expect(findings.first()).toContainText('High');
  await expect(findings.first()).toContainText('src/limit.ts:12');
  await expect(findings.nth(1)).toContainText('Low');
  await expect(gate.locator('.markdown ul')).toHaveCount(0);

  // A comment on a line of the diff is added to the reason.
  await canDecide(page);
  const hunk = changes.getByRole('region', { name: /^Hunk at line 1 of notes\.md/ });
  // Folders come first, as in the tree.
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await expect(hunk).toHaveAttribute('aria-current', 'location');
  await page.keyboard.press('m');
  await expect(gate.getByRole('textbox', { name: 'Comment on notes.md:1' })).toBeFocused();
  await page.keyboard.type('Say what for.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(hunk).toContainText('Say what for.');
  await page.keyboard.press('r');
  await expect(gate.getByText('with 1 comment on the diff')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  const { state } = await bench.until(muster, runId, ({ state }) => state.gates[1]?.status === 'resolved');
  expect(state.gates[1]?.answer?.reason).toContain('`notes.md:1`\n  > # Notes\n\n  Say what for.');
});

const cutOff = `name: Cut off
steps:
  - id: code
    type: step.agent_task
    on_interrupt: ask
    config: {acp_profile_id: worker, instruction: Build it.}
`;

test('an interrupted turn shows at its gate the changes until then', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const script =
    'default:\n  do:\n    - write: {path: half.txt, content: "half\\n"}\n    - wait_for_file: go\n  text: Done.\n';
  const project = await bench.project(muster, scripted(cutOff, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, (run) => run.state.turns[1]?.status === 'in_flight');
  const files = () => muster.call('workspace.diff', { runId, of: { kind: 'turn', turnId: 1 } });
  // The snapshot from before the turn is made while the turn begins.
  await expect(async () => expect((await files()).files).toHaveLength(1)).toPass({ timeout: 60_000 });
  expect(state.workspace?.path).not.toBe(project.path);
  process.kill(await muster.corePid(), 'SIGKILL');
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await show(muster, '#/inbox');
  const changes = page.getByRole('region', { name: 'Changes', exact: true });
  await expect(changes).toContainText('1 file changed');
  await expect(changes).toContainText('half.txt');
  await expect(changes.locator('.diff-line.added')).toContainText('half');
});

test('a merge shows at its gate what it would change in the checkout', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const script =
    'match:\n  - when: "Lead is satisfied"\n    reply: <task-result status="completed">Final.</task-result>\ndefault:\n  do: [{edit: {path: notes.md, find: middle, replace: centre}}]\n  text: <task-result>Changed.</task-result>\n';
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { ann: script },
    files: { 'notes.md': 'top\nthe middle\nbottom\n' },
    config: { members: [{ name: 'ann', agent: 'ann', prompt: 'Change the middle.', iterative: true }] },
  });
  await bench.until(muster, runId, ({ state }) => resultsOf(state, 'ann')[0] === 'Changed.');
  await muster.call('team.satisfied', { ...place, member: 'ann' });
  await bench.until(muster, runId, ({ state }) => gateAsking(state, 'Merge ann into main') !== undefined);
  await show(muster, '#/inbox');
  const gate = article(page, 'Merge ann into main?');
  await expect(gate).toContainText('1 file changed. Merges cleanly.');
  const changes = gate.getByRole('region', { name: 'Changes', exact: true });
  await expect(changes.locator('.diff-line.removed')).toContainText('the middle');
  await expect(changes.locator('.diff-line.added')).toContainText('the centre');
});

test('a decision outlives a kill of the core in its five seconds, and can still be undone then', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const workflow = 'name: Asked\nsteps:\n  - {id: ok, type: step.approval, config: {message: Go on?}}\n';
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  await muster.call('settings.set', { settings: { undoSeconds: 5 } });
  const asked = async () => {
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    await show(muster, `#/gate/${runId}/1`);
    await expect(article(page, 'ok')).toBeVisible();
    await canDecide(page);
    return runId;
  };
  const undo = page.getByRole('button', { name: /^Undo/ }).first();
  const kept = await asked();
  await page.keyboard.press('a');
  await expect(undo).toBeVisible();
  process.kill(await muster.corePid(), 'SIGKILL');
  await bench.until(muster, kept, ({ row }) => row.status === 'succeeded');

  const undone = await asked();
  await page.keyboard.press('a');
  await expect(undo).toBeVisible();
  process.kill(await muster.corePid(), 'SIGKILL');
  await page.keyboard.press('u');
  await expect(article(page, 'ok')).toBeVisible();
  // Undone in the next core: it holds no decision any more.
  await expect(async () =>
    expect(await muster.call('decision.undo', { key: `${undone}/1` })).toEqual({ undone: false }),
  ).toPass();
  await canDecide(page);
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: 'Reason for "Reject"' }).fill('Not yet.');
  await page.keyboard.press('ControlOrMeta+Enter');
  const { state } = await bench.until(muster, undone, ({ row }) => row.finishedAt !== null);
  expect(state.gates[1]?.answer).toEqual({ option: 'reject', reason: 'Not yet.' });
});

test('a decision is carried out although its window dies while it can still be undone', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const workflow = 'name: Asked\nsteps:\n  - {id: ok, type: step.approval, config: {message: Go on?}}\n';
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  await muster.call('settings.set', { settings: { undoSeconds: 2 } });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await show(muster, `#/gate/${runId}/1`);
  await expect(article(page, 'ok')).toBeVisible();
  await canDecide(page);
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: /^Undo/ }).first()).toBeVisible();
  await muster.app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.forcefullyCrashRenderer();
  });
  // The page of the test is gone with its process: the newly loaded page is asked.
  const status = () =>
    muster.app.evaluate(async ({ BrowserWindow }, id) => {
      const asked = `muster.call('run.get', { runId: ${id} }).then((reply) => reply.value.row.status)`;
      const [window] = BrowserWindow.getAllWindows();
      // A closed page never answers.
      const silent = new Promise((resolve) => setTimeout(resolve, 1000, 'no page yet'));
      return String(await Promise.race([window?.webContents.executeJavaScript(asked), silent]).catch(String));
    }, runId);
  await expect.poll(status, { timeout: 60_000 }).toBe('succeeded');
});
