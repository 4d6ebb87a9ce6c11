import { ruleName } from '@areas/permissions/contract/rule';
import { eventChannel, rpcChannel } from '@contract/system/channels';
import type { Muster } from '../fixtures/launch';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Ruled
steps:
  - id: first
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Write the first one.}
  - id: ok
    type: step.approval
    config: {message: Go on?}
  - id: second
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Write the second one.}
cables:
  - {from: first.data_out, to: ok.data_in}
  - {from: ok.approved_out, to: second.signal_in}
`;
const script = `match:
  - when: first one
    reply:
      do: [{ write: { path: notes/one.md, content: "The first.\\n", ask: true } }]
      text: Written.
  - when: second one
    reply:
      do: [{ write: { path: notes/two.md, content: "The second.\\n", ask: true } }]
      text: Written.
default: Done.
`;

async function show(muster: Muster, hash: string): Promise<void> {
  await muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

test('a rule made at a gate answers the next request, also after a restart; it is tried, removed and brought back', async ({
  bench,
}) => {
  const first = await bench.launch();
  const project = await bench.project(first, scripted(workflow, script));
  const { runId } = await first.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(first, runId, ({ row }) => row.openGates === 1);
  await show(first, '#/inbox');
  const gate = first.page.getByRole('article', { name: 'Write notes/one.md' });
  await expect(gate.locator('.diff-line.added')).toContainText('The first.');
  await canDecide(first.page);
  await first.page.keyboard.press('b');
  const form = gate.getByRole('region', { name: 'The rule' });
  await expect(form.getByLabel('Files')).toHaveValue('notes/one.md');
  await form.getByLabel('Files').fill('notes/*.md');
  await form.getByText('Always').click();
  await expect(form.getByRole('status', { name: 'Dry run' })).toContainText(
    'Would have answered 1 of 1 request since',
  );
  await form.getByLabel('Files').press('Control+Enter');
  // Not by the run's status: it waits for the first gate until the answer has reached the agent.
  const { state } = await bench.until(first, runId, ({ state }) => state.gates[2]?.status === 'open');
  const ruleId = state.gates[1]?.answer?.rule ?? '';
  expect(state.gates).toMatchObject({
    1: { by: 'operator', delivered: true, answer: { option: 'allow_rule' } },
    2: { kind: 'approval', status: 'open' },
  });
  await first.close();

  const second = await bench.launch();
  expect(await second.call('rule.list', {})).toMatchObject([
    { id: ruleId, agent: 'worker', tool: 'edit', path: 'notes/*.md', scope: 'project', uses: 0 },
  ]);
  await second.call('gate.resolve', { runId, gateId: 2, answer: { option: 'approve' } });
  const end = await bench.until(second, runId, ({ row }) => row.status === 'succeeded');
  expect(end.state.gates[3]).toMatchObject({
    kind: 'permission',
    title: 'Write notes/two.md',
    rule: ruleId,
    by: ruleName(ruleId),
    answer: { option: 'allow' },
    delivered: true,
  });

  const { page } = second;
  await show(second, '#/inbox');
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
  await show(second, '#/settings/rules');
  const row = page.getByRole('listitem', { name: 'Allow edit notes/*.md' });
  await expect(row).toContainText('used 1 time');
  await row.getByRole('button', { name: /^Remove the rule/ }).click();
  await expect(row).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('used 1 time');

  await page.getByRole('button', { name: /^New rule/ }).click();
  const fresh = page.getByRole('region', { name: 'New rule' });
  await fresh.getByLabel('Files').fill('notes/two.md');
  const dryRun = fresh.getByRole('status', { name: 'Dry run' });
  await expect(dryRun).toContainText('Would have answered 1 of 2 requests since');
  await expect(dryRun).toContainText('1 of them was allowed then.');
  await dryRun.getByRole('button', { name: 'Matching requests' }).click();
  await expect(dryRun.getByRole('link', { name: 'Write notes/two.md' })).toBeVisible();
  await fresh.getByLabel('Files').press('Control+Enter');
  await expect(page.getByRole('listitem', { name: 'Deny any tool notes/two.md' })).toBeVisible();
});

test('a rule that is being written stays when what it stands on cannot be read again', async ({ bench }) => {
  const muster = await bench.launch();
  const { app, page } = muster;
  const project = await bench.project(muster, scripted(workflow, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await show(muster, '#/inbox');
  await expect(page.getByRole('article', { name: 'Write notes/one.md' })).toBeVisible();
  await canDecide(page);
  await page.keyboard.press('b');
  const files = page.getByRole('region', { name: 'The rule' }).getByLabel('Files');
  await files.fill('notes/*.md');
  await app.evaluate(
    ({ BrowserWindow, ipcMain }, { rpc, event }) => {
      const asked: string[] = [];
      Object.assign(globalThis, { askedOfMain: asked });
      ipcMain.removeHandler(rpc);
      ipcMain.handle(rpc, async (_event, { name }: { name: string }) => {
        asked.push(name);
        return { ok: false, error: { code: 'unavailable', message: 'Not now.' } };
      });
      BrowserWindow.getAllWindows()[0]?.webContents.send(event, [{ topic: 'runs', rows: [] }]);
    },
    { rpc: rpcChannel, event: eventChannel },
  );
  const asked = () => app.evaluate(() => globalThis.askedOfMain);
  await expect.poll(asked).toContain('run.find');
  await expect(muster.call('system.status', {})).rejects.toThrow('Not now.');
  await expect(files).toHaveValue('notes/*.md');
});
