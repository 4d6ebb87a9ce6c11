import type { Muster } from '../fixtures/launch';
import { type Bench, canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = (step: string) => `name: Asked
steps:
  - id: ${step}
    type: step.approval
    config: {message: Go on?}
`;
const FILES = {
  ...scripted(workflow('first'), 'default: Done.\n'),
  '.muster/workflows/second.yaml': workflow('second'),
  '.muster/workflows/talk.yaml': `name: Talk
steps:
  - id: talk
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Say something.}
`,
};

const show = (muster: Muster, hash: string) =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Two runs, each with an open gate. */
async function twoGates(bench: Bench, muster: Muster) {
  const { id } = await bench.project(muster, FILES);
  const ask = async (file: string) => {
    const { runId } = await muster.call('run.start', { projectId: id, file });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    return runId;
  };
  return { id, first: await ask(WORKFLOW), second: await ask('.muster/workflows/second.yaml') };
}

/** Through the window and the core: earlier presses have been handled by then. */
async function stillOpen(muster: Muster, runId: number) {
  await show(muster, `#/gate/${runId}/1`);
  await muster.page.getByRole('button', { name: /^Snooze/ }).click();
  await muster.page.getByRole('menuitem', { name: 'For 1 hour' }).click();
  await expect(muster.page.getByText('snoozed, back')).toBeVisible();
}

test('a key that is held down answers one gate, not the next one as well', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { first, second } = await twoGates(bench, muster);
  await show(muster, '#/inbox');
  await expect(page.getByRole('article', { name: 'first' })).toBeVisible();
  await canDecide(page);
  await page.keyboard.down('a');
  await expect(page.getByRole('article', { name: 'second' })).toBeVisible();
  await page.keyboard.down('a');
  await page.keyboard.down('a');
  await page.keyboard.up('a');
  await stillOpen(muster, second);
  await bench.until(muster, first, ({ row }) => row.status === 'succeeded');
});

test('a gate that ends while a reason is written stays in sight, and no letter answers another one', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { first, second } = await twoGates(bench, muster);
  await show(muster, '#/inbox');
  const gate = page.getByRole('article', { name: 'first' });
  await expect(gate).toBeVisible();
  await canDecide(page);
  await page.keyboard.press('r');
  const reason = gate.getByRole('textbox', { name: 'Reason for "Reject"' });
  await expect(reason).toBeFocused();
  await page.keyboard.type('bec');
  await muster.call('gate.resolve', { runId: first, gateId: 1, answer: { option: 'approve' } });
  await page.keyboard.type('a');
  await expect(reason).toBeHidden();
  await page.keyboard.type('a');
  await expect(gate).toContainText('by operator');
  await stillOpen(muster, second);
});

test('the selected option of a gate stays selected, and its reason has the focus', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { id } = await twoGates(bench, muster);
  await show(muster, '#/inbox');
  await expect(page.getByRole('article', { name: 'first' })).toBeVisible();
  await page.getByRole('listbox', { name: 'Waiting gates' }).focus();
  await canDecide(page);
  await page.keyboard.press('Shift+C');
  const reject = page.getByRole('menuitem', { name: /^Reject/ });
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(reject).toBeFocused();
  await muster.call('run.start', { projectId: id, file: WORKFLOW });
  await expect(page.getByRole('listbox', { name: 'Waiting gates' }).getByRole('option')).toHaveCount(3);
  await expect(reject).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Reason for "Reject"' })).toBeFocused();
});

test('keys do nothing behind a dialog', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { first } = await twoGates(bench, muster);
  await muster.call('gate.resolve', { runId: first, gateId: 1, answer: { option: 'approve' } });
  const { row } = await bench.until(muster, first, (run) => run.row.finishedAt !== null);
  await muster.call('run.bin', { runId: first });
  await show(muster, `#/run/${row.uid}?bin=1`);
  await page.getByRole('button', { name: 'Delete the run permanently' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused();
  await page.keyboard.press('z');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect((await muster.call('run.get', { runId: first })).row.binnedAt).not.toBeNull();
});

test('the current session stays, with its draft, when another one begins to work', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { id } = await bench.project(muster, FILES);
  const talk = async () => {
    const { runId } = await muster.call('run.start', { projectId: id, file: '.muster/workflows/talk.yaml' });
    await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  };
  await talk();
  await show(muster, '#/sessions');
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await expect(prompt).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.type('half of ');
  await talk();
  await expect(page.getByRole('option', { name: /Worker/ })).toHaveCount(2);
  await page.keyboard.type('it');
  await expect(prompt).toHaveValue('half of it');
});

test('the focus is where it was after the palette, and the target of an entry has it', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { id } = await bench.project(muster, FILES);
  const { runId } = await muster.call('run.start', { projectId: id, file: '.muster/workflows/talk.yaml' });
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  await show(muster, `#/session/${runId}/1`);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await expect(prompt).toBeVisible();
  await prompt.focus();
  await page.keyboard.type('half of ');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(prompt).toBeFocused();
  await page.keyboard.type('it');
  await expect(prompt).toHaveValue('half of it');
  await prompt.blur();
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('Write a prompt in this session');
  await page.keyboard.press('Enter');
  await expect(prompt).toBeFocused();
});

test('j passes a gate that asks for a text without writing into it, and F6 goes round the parts of the window', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const asks = (step: string) =>
    workflow(step).replace('message: Go on?', 'message: Which port?, capture_response: true');
  const { id } = await bench.project(muster, {
    ...scripted(workflow('first'), 'default: Done.\n'),
    '.muster/workflows/second.yaml': asks('second'),
    // Equal questions would stand together.
    '.muster/workflows/third.yaml': workflow('third').replace('Go on?', 'Go on again?'),
  });
  for (const file of [WORKFLOW, '.muster/workflows/second.yaml', '.muster/workflows/third.yaml']) {
    const { runId } = await muster.call('run.start', { projectId: id, file });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  }
  await show(muster, '#/inbox');
  const gate = (name: string) => page.getByRole('article', { name });
  await expect(page.getByRole('listbox', { name: 'Waiting gates' }).getByRole('option')).toHaveCount(3);
  await expect(gate('first')).toBeVisible();
  await page.keyboard.press('j');
  await expect(gate('second')).toBeVisible();
  await page.keyboard.press('j');
  await expect(gate('third')).toBeVisible();
  await page.keyboard.press('k');
  const field = gate('second').getByRole('textbox', { name: 'Your answer' });
  await expect(field).toHaveValue('');
  await expect(field).not.toBeFocused();
  await canDecide(page);
  await page.keyboard.press('a');
  await expect(field).toBeFocused();

  const pane = () =>
    page.evaluate(() => {
      const at = document.activeElement?.closest('nav, [data-part^="column-"]');
      return at?.getAttribute('data-part') ?? at?.getAttribute('aria-label') ?? null;
    });
  const round: (string | null)[] = [];
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press('F6');
    round.push(await pane());
  }
  expect(round).toEqual(['Views', 'column-list', 'column-detail']);
  await page.keyboard.press('Shift+F6');
  expect(await pane()).toBe('column-list');
});
