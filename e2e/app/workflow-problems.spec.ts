import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findings } from '../fixtures/axe';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const FLAWED = `name: Flawed
steps:
  - id: plan
    type: step.agent_task
    config:
      acp_profile_id: worker
      instruction: First use $nope.output here.
      colour: red
      re_prompts: [Shorter., ""]
  - id: ask
    type: step.approval
    when: $plan.output == 'ok' && $missing.output == 'yes'
    config: {message: Good?}
cables:
  - {from: plan.data_out, to: ask.data_in}
  - {from: gone.data_out, to: ask.context_in}
`;

/**
 * A workflow key has a wrong value, another is unknown, and so is one of a distant step in a collapsed loop.
 */
const FAR = `name: Far
max_parallel: 0
colour: red
steps:
  - {id: plan, type: step.command, position: {x: 0, y: 0}, config: {script: ls}}
  - id: again
    type: step.loop
    position: {x: 6000, y: 0}
    config:
      max_iterations: 3
      until: DONE
      body:
        steps:
          - {id: fix, type: step.command, config: {script: ls, shade: dark}}
`;

const open = (page: Page, hash: string) =>
  page.evaluate((next) => {
    location.hash = next;
  }, hash);

/** The cursor's position within its line, in the focused editor. */
const cursor = (page: Page) =>
  page.evaluate(() => {
    const root = document.activeElement?.shadowRoot as
      | (ShadowRoot & { getSelection(): Selection | null })
      | null
      | undefined;
    const selection = root?.getSelection() ?? null;
    const line = selection?.anchorNode?.parentElement?.closest('.cm-line');
    if (selection === null || selection.anchorNode === null || line == null) return null;
    const before = document.createRange();
    before.setStart(line, 0);
    before.setEnd(selection.anchorNode, selection.anchorOffset);
    return { line: line.textContent, at: before.toString().length };
  });

test('a problem leads to its field, character, cable or line, and is fixed there', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(FLAWED, 'default: Done.\n'));
  const file = join(project.path, WORKFLOW);
  const text = () => readFileSync(file, 'utf8');
  const address = `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}`;
  await open(page, `${address}?show=canvas`);
  const problem = (name: RegExp) =>
    page.getByRole('list', { name: 'Problems', exact: true }).getByRole('listitem').filter({ hasText: name });
  const go = (name: RegExp) => problem(name).getByTitle('Go to this place').click();

  // From the canvas: to a character in a template, to a field in a collapsed section, and to a cable.
  await go(/nope/);
  const panel = (id: string) => page.getByRole('region', { name: `Step ${id}`, exact: true });
  await expect(panel('plan')).toBeVisible();
  await expect.poll(() => cursor(page)).toEqual({ line: 'First use $nope.output here.', at: 10 });
  await go(/missing/);
  await expect
    .poll(() => cursor(page))
    .toEqual({
      line: "$plan.output == 'ok' && $missing.output == 'yes'",
      at: "$plan.output == 'ok' && ".length,
    });
  await go(/"gone"/);
  await expect(page.locator('[data-part="canvas-cable"][data-selected]')).toHaveAttribute(
    'data-state',
    'dangling',
  );
  await problem(/"gone"/)
    .getByRole('button', { name: 'Remove the cable', exact: true })
    .click();
  await expect.poll(text).toBe(FLAWED.replace(/ {2}- \{from: gone.*\n/, ''));
  await expect(problem(/"gone"/)).toHaveCount(0);
  expect(await findings(page, 'the problems of a workflow')).toEqual([]);

  // From the list, with the complete way back. Once the unknown key is gone, the core notices the empty
  // prompt.
  await open(page, `${address}?show=steps`);
  await problem(/colour/)
    .getByRole('button', { name: 'Remove the key', exact: true })
    .click();
  await problem(/re-prompt/i)
    .getByRole('button', { name: 'Remove the entry', exact: true })
    .click();
  await expect.poll(text).toContain('re_prompts: [Shorter.]');
  await go(/missing/);
  for (const back of ['""', 'colour: red', 'gone.data_out']) {
    await panel('ask').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(text).toContain(back);
  }
  expect(text()).toBe(FLAWED);

  // In the file's text, which this does not save.
  await open(page, `${address}?show=text`);
  await go(/nope/);
  await expect.poll(() => cursor(page)).toMatchObject({ at: '      instruction: First use '.length });
  await problem(/colour/)
    .getByRole('button', { name: 'Remove the key', exact: true })
    .click();
  await expect(problem(/colour/)).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Not saved' })).toBeVisible();
  expect(text()).toBe(FLAWED);

  // To the settings of the workflow, and into a collapsed loop outside the visible part.
  await page.getByRole('button', { name: 'Discard changes' }).click();
  writeFileSync(file, FAR);
  await open(page, `${address}?show=canvas`);
  await go(/max_parallel/);
  const settings = page.getByRole('region', { name: 'Settings of the workflow' });
  await expect(settings.getByRole('spinbutton', { name: 'Maximum parallel steps' })).toBeFocused();
  await go(/colour/);
  const unknown = settings.getByRole('list', { name: 'Problems of the workflow' });
  await expect(unknown.getByRole('button', { name: 'Remove the key' })).toBeFocused();
  const inner = page.locator('[id="canvas-again/fix"]');
  await expect(inner).toHaveCount(0);
  await go(/shade/);
  await expect(panel('fix').getByRole('button', { name: 'Remove the key' })).toBeFocused();
  await expect(inner).toBeInViewport({ ratio: 1 });
  await expect(inner).toContainText('Command');
});

const TWO = `name: Two
steps:
  - id: first
    type: step.agent_task
    timeout_minutes: 5
    config: {acp_profile_id: worker, instruction: One.}
  - id: second
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Two.}
`;

test('typed text reaches its own step or stays, whichever step is chosen and whatever happens to the file', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(TWO, 'default: Done.\n'));
  const file = join(project.path, WORKFLOW);
  const text = () => readFileSync(file, 'utf8');
  const address = `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}`;
  await open(page, `${address}?step=first`);
  const panel = (id: string) => page.getByRole('region', { name: `Step ${id}`, exact: true });
  const instruction = (id: string) => panel(id).getByRole('textbox', { name: /^Instruction/ });
  await expect(instruction('first')).toContainText('One.');

  // Another step is selected by its address; a click would leave the field first.
  await instruction('first').press('Control+End');
  await page.keyboard.type(' More of it.');
  await open(page, `${address}?step=second`);
  await expect(instruction('second')).toHaveText('Two.');
  await page.keyboard.press('Control+z');
  await expect.poll(text).toBe(TWO.replace('One.', 'One. More of it.'));

  // The step is renamed while its instruction is edited: both changes are saved, and a newly selected step
  // stays selected.
  await open(page, `${address}?step=first`);
  await panel('first').getByRole('textbox', { name: 'Name' }).fill('begin');
  await panel('first').getByRole('textbox', { name: 'Name' }).press('Enter');
  const shown = page.locator('[data-part="step-panel"]').getByRole('textbox', { name: /^Instruction/ });
  await shown.press('Control+End');
  await page.keyboard.type(' And that.');
  await open(page, `${address}?step=second`);
  await expect.poll(text).toContain('id: begin');
  await expect.poll(text).toContain('instruction: One. More of it. And that.');
  await expect(panel('second')).toBeVisible();

  // The file changes at the same place on disk: neither version is lost, and the operator chooses.
  await open(page, `${address}?step=begin`);
  await panel('begin').getByRole('button', { name: 'Timing and conditions' }).click();
  const minutes = panel('begin').getByRole('spinbutton', { name: /^Timeout/ });
  await minutes.fill('7');
  const theirs = text().replace('timeout_minutes: 5', 'timeout_minutes: 9');
  writeFileSync(file, theirs);
  const choice = panel('begin').getByRole('status').filter({ hasText: 'a different text here' });
  await expect(choice).toBeVisible();
  await expect(minutes).toHaveValue('7');
  expect(text()).toBe(theirs);
  await choice.getByRole('button', { name: 'Save my text' }).click();
  await expect.poll(text).toBe(theirs.replace('timeout_minutes: 9', 'timeout_minutes: 7'));
});
