import { findings } from '../fixtures/axe';
import { expect, test } from './part';
import { command, type FileOf, PORTS, port, show } from './workflow';

/** A step without a cable, one with several, and a cable to a step that is not there. */
const DRAWN: FileOf = {
  steps: [
    command('plan', { position: { x: 0, y: 0 } }),
    command('build', { title: 'Build it', position: { x: 300, y: 0 } }),
    command('alone', { position: { x: 0, y: 120 } }),
  ],
  cables: [
    { from: 'plan.data_out', to: 'build.data_in' },
    { from: 'build.data_out', to: 'gone.data_in' },
  ],
};
const TASK: FileOf = {
  steps: [{ id: 'plan', type: 'step.agent_task', config: { re_prompts: ['Again.', 'Once more.'] } }],
};

test('canvas, list and form can be read in the colours of the system and without motion, and selections are marked', async ({
  part,
}) => {
  const { page } = part;
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  try {
    const canvas = await show(part, 'canvas', DRAWN);
    const step = (id: string) => canvas.locator(`[id="canvas-${id}"] [data-part="canvas-step"]`);
    await step('plan').click();
    const outline = (id: string) =>
      step(id).evaluate((one) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(one);
        return outlineStyle === 'none' ? 'none' : outlineWidth;
      });
    expect([await outline('plan'), await outline('build')]).toEqual(['3px', 'none']);
    const ground = (id: string, name: string) =>
      canvas
        .locator(`.react-flow__handle[data-nodeid="${id}"][data-handleid="${name}"]`)
        .evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(await ground('plan', 'data_out'), 'a port with a cable').not.toBe(
      await ground('alone', 'data_out'),
    );
    const colours = await canvas
      .locator('[data-part="canvas-cable"] path:last-of-type')
      .evaluateAll((lines) =>
        lines.map((line) => getComputedStyle(line).stroke === getComputedStyle(document.body).color),
      );
    expect(colours, 'a cable has the colour of text').toEqual([true, true]);
    const moving = () =>
      page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
    expect(await moving()).toBe(0);
    expect(await findings(page, 'a canvas in forced colours', 'main')).toEqual([]);
    for (const [what, of] of [
      ['list', DRAWN],
      ['step', TASK],
      ['settings', DRAWN],
    ] as const) {
      const body = await show(part, what, of);
      await expect(body.getByRole('button').first()).toBeVisible();
      expect(await findings(page, `${what} in forced colours`, 'main')).toEqual([]);
      expect(await moving()).toBe(0);
    }
  } finally {
    await page.emulateMedia({ forcedColors: null, reducedMotion: null });
  }
});

test('a canvas on a slow disk is drawn before it can be changed, and the form says that the file is being read', async ({
  part,
}) => {
  const letGo = await part.hold('workflow.source');
  const form = await show(part, 'step', TASK);
  await expect(form.getByRole('status')).toHaveText('Reading the file.');
  const canvas = await show(part, 'canvas', DRAWN);
  await expect(canvas.locator('[id="canvas-build"]')).toBeVisible();
  const add = canvas.getByRole('button', { name: 'Add a step' });
  await expect(add).toHaveCount(0);
  expect(await findings(part.page, 'a canvas on a slow disk', 'main')).toEqual([]);
  await letGo();
  await expect(add).toBeVisible();
});

test('a read-only file is shown and can be copied from, and nothing offers to change it', async ({
  part,
}) => {
  const file = { ...DRAWN, writable: false };
  const before = await part.called('workflow.edit');
  // The page is that of earlier tests.
  const copied = (await part.called('app.copyText')).length;
  const canvas = await show(part, 'canvas', file);
  await expect(canvas.getByText('The file is read-only.')).toBeVisible();
  await expect(canvas.getByRole('button', { name: 'Add a step' })).toHaveCount(0);
  await canvas.locator('[id="canvas-build"]').click();
  await part.page.keyboard.press('Delete');
  await part.page.keyboard.press('Shift+ArrowDown');
  await part.page.keyboard.press('Control+c');
  await expect(canvas.locator('[data-part="canvas-said"]')).toHaveText('1 step copied');
  expect(await part.called('app.copyText')).toHaveLength(copied + 1);
  const list = await show(part, 'list', file);
  await expect(list.getByText('The file is read-only.')).toBeVisible();
  await expect(list.getByRole('button', { name: /^Change / })).toHaveCount(0);
  const form = await show(part, 'step', { ...TASK, writable: false });
  await expect(form.getByText('The file is read-only.')).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toBeDisabled();
  await expect(form.getByRole('button', { name: 'Add re-prompt' })).toBeDisabled();
  const text = await show(part, 'file', { ...file, text: 'name: Big\n' });
  await expect(text.getByText('This file cannot be written. Your text is kept here.')).toBeVisible();
  expect(await part.called('workflow.edit')).toEqual(before);
  expect(await findings(part.page, 'a read-only file', 'main')).toEqual([]);
});

test('steps become a sub-workflow only after the operator has seen which comments would be lost', async ({
  part,
}) => {
  const text = 'name: Big # ours\nsteps:\n  # first of all\n  - plan # kept\n';
  const steps = DRAWN.steps.slice(0, 2);
  const body = await show(part, 'canvas', { steps, cables: DRAWN.cables?.slice(0, 1) ?? [], text });
  await part.answer({
    'workflow.edit': {
      kind: 'written',
      merged: false,
      text: 'name: Big # ours\nsteps: [] # kept\n',
      hash: 'h2',
    },
  });
  const writes = async () =>
    (await part.called('workflow.edit')).filter((input) => (input as { dry?: boolean }).dry !== true);
  const canvas = body.getByRole('application', { name: 'Canvas of Big' });
  await expect(canvas.getByRole('button', { name: 'Add a step' })).toBeVisible();
  await canvas.focus();
  await part.page.keyboard.press('Control+a');
  const before = (await writes()).length;
  await part.page.keyboard.press('Control+g');
  const question = part.page.getByRole('dialog', { name: 'Comments of the file would be lost' });
  await expect(question.getByRole('listitem')).toHaveText(['# first of all']);
  expect(await findings(part.page, 'comments that would be lost', 'dialog')).toEqual([]);
  await part.page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(canvas).toBeFocused();
  expect(await writes()).toHaveLength(before);
  await part.page.keyboard.press('Control+g');
  await question.getByRole('button', { name: 'Make a sub-workflow' }).click();
  await expect.poll(async () => (await writes()).length).toBe(before + 1);
  expect((await writes()).at(-1)).toMatchObject({ edits: [{ kind: 'step.add' }, {}, {}] });
});

const KEPT = '0f8f0b6e-5a0f-4c6e-9d0c-2f6b1f6f2a11';

test('deleted workflows are listed with their project and age, and one is brought back', async ({ part }) => {
  const at = { projectId: 1, file: '.muster/workflows/release.yaml', kept: KEPT, deletedAt: 1, keptUntil: 2 };
  await part.answer({ 'workflow.deleted': [at], 'workflow.undelete': {}, 'workflow.list': [] });
  const projects = [{ id: 1, name: 'Web', path: '/work/p', addedAt: 1, trouble: null }];
  const body = await part.mount('deleted', { projects });
  await body.getByRole('button', { name: 'Deleted workflows' }).click();
  const dialog = part.page.getByRole('dialog', { name: 'Deleted workflows' });
  await expect(dialog.getByRole('listitem')).toContainText('release.yaml');
  await expect(dialog.getByRole('listitem')).toContainText('Web, deleted');
  expect(await findings(part.page, 'deleted workflows', 'dialog')).toEqual([]);
  const error = { code: 'conflict', message: 'There is a file of this name again.' };
  await part.refuse('workflow.undelete', error);
  await dialog.getByRole('button', { name: 'Restore release.yaml' }).click();
  await expect.poll(() => part.called('workflow.undelete')).toHaveLength(1);
  await expect(dialog, 'what failed can be tried again').toBeVisible();
  await part.refuse('workflow.undelete', null);
  await dialog.getByRole('button', { name: 'Restore release.yaml' }).click();
  await expect(dialog).toHaveCount(0);
  expect((await part.called('workflow.undelete')).at(-1)).toEqual({
    projectId: 1,
    file: at.file,
    kept: KEPT,
  });
});

test('typed text is kept while a file is saved, a full disk loses no text, and the operator chooses between two texts', async ({
  part,
}) => {
  const text = 'name: Big\nsteps: []\n';
  const body = await show(part, 'file', { steps: [], text });
  const editor = body.getByRole('textbox', { name: /^Text of/ });
  const state = body.getByRole('status').filter({ hasText: /^(Saved|Not saved)$/ });
  await expect(editor).toContainText('name: Big');
  await editor.press('Control+End');
  await part.page.keyboard.type('# one');
  await expect(state).toHaveText('Not saved');
  const save = body.getByRole('button', { name: 'Save', exact: true });

  await part.refuse('workflow.save', { code: 'store.disk_full', message: 'The disk is full.' });
  await save.click();
  await expect.poll(() => part.called('workflow.save')).toHaveLength(1);
  await part.refuse('workflow.save', null);
  await expect(save).toBeEnabled();
  await expect(editor).toContainText('# one');

  await part.answer({
    'workflow.save': { kind: 'written', merged: false, text: `${text}# one`, hash: 'h2' },
  });
  const letGo = await part.hold('workflow.save');
  await save.click();
  await expect(save).toBeDisabled();
  await editor.press('Control+End');
  await part.page.keyboard.type(', two');
  const source = { hash: 'h2', text: `${text}# one`, absolutePath: '/w.yaml', writable: true };
  await part.answer({ 'workflow.source': source });
  await letGo();
  await expect(save).toBeEnabled();
  await expect(state).toHaveText('Not saved');
  await expect(editor).toContainText('# one, two');

  const theirs = { text: 'name: Theirs\nsteps: []\n', hash: 'h3' };
  await part.answer({ 'workflow.save': { kind: 'conflict', theirs, mine: null } });
  await save.click();
  const conflict = body.getByRole('alert').filter({ hasText: 'changed elsewhere' });
  await expect(conflict).toBeVisible();
  await expect(editor).toContainText('# one, two');
  expect((await part.called('workflow.save')).at(-1)).toMatchObject({ base: 'h2' });
  await part.answer({ 'workflow.source': { ...source, ...theirs } });
  await conflict.getByRole('button', { name: 'Use the file' }).click();
  await expect(state).toHaveText('Saved');
});

test('the start of the workflow is offered where the folder of a step was not kept, and the draft stays', async ({
  part,
}) => {
  const step = { id: 'build', type: 'step.agent_task', config: { instruction: 'Build it.' } };
  const state = {
    definition: { name: 'Chain', steps: [step] },
    steps: {},
    activations: {},
    scopes: {},
    sourceFile: '.muster/workflows/w.yaml',
    references: { inputs: { topic: 'cats' } },
  };
  const body = await part.mount('run-again', { row: { id: 7, projectId: 1, uid: 'U' }, state });
  const dialog = body.getByRole('dialog', { name: 'Run again from a step' });
  await dialog.getByLabel('Instruction').fill('Build it better.');
  await dialog.getByLabel('topic').fill('dogs');
  const mend = 'Start the workflow from its beginning.';
  await part.refuse('run.again', { code: 'workspace.snapshot_gone', message: 'The folder is gone.', mend });
  await expect(dialog.getByRole('button', { name: 'Open the workflow' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await expect(dialog.getByText('The folder is gone.')).toBeVisible();
  await expect(dialog.getByText(mend)).toBeVisible();
  expect(await findings(part.page, 'a run that cannot begin again', 'dialog')).toEqual([]);
  await expect(dialog.getByLabel('Instruction')).toHaveValue('Build it better.');
  expect((await part.called('run.again')).at(-1)).toMatchObject({
    runId: 7,
    step: 'build',
    instruction: 'Build it better.',
    inputs: { topic: 'dogs' },
  });
  await dialog.getByRole('button', { name: 'Open the workflow' }).click();
  await expect.poll(() => part.page.evaluate(() => location.hash)).toContain('#/workflow/1/');
  await part.refuse('run.again', null);
});

const MANY = Array.from({ length: 300 }, (_, index) =>
  port(`response_${index + 1}`, `Response ${index + 1}`),
);

test('the canvas keeps its tools in sight in a small window, and at twice the size, and nothing is wider than it', async ({
  part,
}) => {
  const { page } = part;
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  const long = command('long', { title: 'A name that goes on '.repeat(10), position: { x: 0, y: 200 } });
  const file: FileOf = {
    ...DRAWN,
    steps: [...DRAWN.steps, long],
    ports: { build: { inputs: PORTS.inputs, outputs: MANY } },
  };
  // At 200 % a window of 900x600 has half as many pixels of its own.
  for (const size of [
    { width: 900, height: 600 },
    { width: 450, height: 300 },
  ]) {
    await page.setViewportSize(size);
    const body = await show(part, 'canvas', file);
    await expect(body.locator('[id="canvas-build"]')).toBeVisible();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([size.width, Math.max(0, over)]).toEqual([size.width, 0]);
    for (const tool of ['Add a step', 'Arrange all steps', 'Show the whole workflow'])
      await expect(body.getByRole('button', { name: tool })).toBeInViewport({ ratio: 1 });
    await body.getByRole('button', { name: 'Add a step' }).click();
    await expect(body.getByRole('option', { name: /^Command/ })).toBeInViewport();
    expect(await findings(page, `a canvas of ${size.width} pixels`, 'main')).toEqual([]);
  }
  await page.setViewportSize(before);
});
