import { findings } from '../fixtures/axe';
import { expect, type Part, test } from './part';

let runs = 100;

const result = {
  workspaceId: null,
  path: '/w',
  branch: 'muster/fix-it',
  commit: 'c1',
  base: 'b',
  files: 1,
  uncommitted: 0,
  includedIn: null,
  note: null,
  unread: null,
  unsettled: null,
  stepId: null,
  agent: null,
  address: null,
  state: 'to_apply',
  applied: null,
};

const preview = {
  shown: 'c1:t1:main',
  target: 'main',
  files: 1,
  conflicts: [],
  inTheWay: [],
  commits: [{ commit: 'c0ffee0123456789', author: 'Ana', subject: 'Mend the login' }],
  commitCount: 1,
  message: "Fix it\n\nFrom muster/fix-it of Muster's run 1.",
};

const hunk = { id: 'h', oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+one'] };
const file = { path: 'made.txt', oldPath: null, status: 'added', added: 1, removed: 0, hunks: [hunk] };
const diff = {
  files: [{ ...file, leftOut: null }],
  shown: 'c1:t1:main',
  live: true,
  path: '/p',
  branch: 'muster/fix-it',
  file: null,
  notes: [],
  unread: null,
};

/** The dialog of a new run. */
async function open(part: Part, more: object = {}, results: readonly object[] = [result]) {
  await part.answer({ 'workspace.diff': diff, 'run.apply-preview': { ...preview, ...more } });
  runs += 1;
  await part.mount('apply', { runId: runs, results, first: results[0] });
  const dialog = part.page.getByRole('dialog', { name: 'Apply to your checkout' });
  await expect(dialog).toBeVisible();
  return { dialog, runId: runs };
}

const sent = async (part: Part, runId: number) =>
  (await part.called('run.apply')).filter((one) => (one as { runId: number }).runId === runId);

test('the dialog shows branch, changes and message, and applies exactly what it shows by key', async ({
  part,
}) => {
  const { dialog, runId } = await open(part);
  await expect(dialog).toContainText('Changes 1 file in main.');
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('made.txt');
  const message = dialog.getByRole('textbox', { name: 'Commit message' });
  await expect(message).toHaveValue(preview.message);
  await expect(message).toBeFocused();
  expect(await findings(part.page, 'apply', 'dialog')).toEqual([]);
  await message.fill('');
  await expect(dialog.getByRole('button', { name: /^Apply/ })).toBeDisabled();
  await message.press('Control+Enter');
  expect(await sent(part, runId)).toEqual([]);
  await message.fill('Mend the login');
  await message.press('Control+Enter');
  await expect
    .poll(() => sent(part, runId))
    .toEqual([{ runId, shown: 'c1:t1:main', how: 'squash', message: 'Mend the login' }]);
});

test('kept commits are listed, and files alone need no message', async ({ part }) => {
  const { dialog, runId } = await open(part);
  await dialog.getByText('The agents’ 1 commit').click();
  await expect(dialog.getByRole('list', { name: 'Commits' })).toContainText('Mend the login');
  expect(await findings(part.page, 'kept commits', 'dialog')).toEqual([]);
  await dialog.getByText('Files only').click();
  await expect(dialog.getByRole('textbox', { name: 'Commit message' })).toHaveCount(0);
  await dialog.getByRole('button', { name: /^Apply/ }).click();
  await expect.poll(() => sent(part, runId)).toEqual([{ runId, shown: 'c1:t1:main', how: 'files' }]);
});

test('conflicts are listed by file and cannot be applied, and files in the way are named', async ({
  part,
}) => {
  const conflict = await open(part, { shown: null, conflicts: ['a.txt', 'b/c.txt'] });
  await expect(conflict.dialog.getByRole('list', { name: 'Conflicts' })).toContainText('b/c.txt');
  await expect(conflict.dialog).toContainText('git merge muster/fix-it');
  await expect(conflict.dialog.getByRole('button', { name: /^Apply/ })).toBeDisabled();
  expect(await findings(part.page, 'conflicts', 'dialog')).toEqual([]);
  const { dialog } = await open(part, { inTheWay: ['mine.txt'] });
  await expect(dialog).toContainText('You have uncommitted changes in 1 file of this result: mine.txt.');
});

test('of several results one is chosen, and a refusal stays beside what is shown again', async ({ part }) => {
  const two = ['build', 'docs/ana'].map((address, index) => ({ ...result, workspaceId: index + 1, address }));
  const { dialog, runId } = await open(part, {}, two);
  await dialog.getByRole('combobox', { name: 'Result' }).selectOption('docs/ana');
  await part.refuse('run.apply', {
    code: 'run.result_changed',
    message: 'Nothing was applied. The result was edited after it was shown.',
    mend: 'Look at the changes again, then apply.',
  });
  await dialog.getByRole('button', { name: /^Apply/ }).click();
  await expect(dialog.getByText(/The result was edited after it was shown/)).toBeVisible();
  await part.refuse('run.apply', null);
  expect(await sent(part, runId)).toMatchObject([{ step: 'docs/ana' }]);
});
