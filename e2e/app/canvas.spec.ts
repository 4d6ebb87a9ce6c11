import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from '../fixtures/axe';
import { canDecide, expect, letGo, scripted, test, WORKFLOW } from '../fixtures/test';

const FLOW = `name: Drawn
steps:
  - id: plan
    type: step.agent_task
    title: Plan the work
    config: {acp_profile_id: worker, instruction: Plan.}
  - id: again
    type: step.loop
    title: Repeat
    config:
      max_iterations: 3
      until: DONE
      body:
        steps:
          - {id: build, type: step.agent_task, config: {acp_profile_id: worker, instruction: Build.}}
          - {id: check, type: step.command, config: {script: 'echo DONE'}}
        cables:
          - {from: build.signal_out, to: check.signal_in}
  - id: publish
    type: step.approval
    title: Publish?
    when: $plan.output != 'nothing'
    config: {message: Publish it?}
cables:
  - {from: plan.data_out, to: again.data_in}
  - {from: again.data_out, to: publish.data_in}
  - {from: publish.revise_out, to: plan.context_in}
  - {from: gone.data_out, to: publish.context_in}
`;

test('a workflow is drawn as it stands in its file, walked by keys, and not written', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(FLOW, 'default: Done.\n'));
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}`,
  );
  const canvas = page.getByRole('application', { name: 'Canvas of Drawn' });
  const step = (name: RegExp) => canvas.getByRole('group', { name });
  await expect(step(/^Plan the work, Agent task/)).toBeVisible();
  await expect(step(/^gone: there is no such step/)).toBeVisible();
  await expect(canvas.locator('[data-part="canvas-cable"][data-state="dangling"]')).toHaveCount(1);
  await expect(step(/^Publish\?/)).toContainText("if $plan.output != 'nothing'");
  // Laid out in layers by the worker: a step is to the right of the previous one.
  const left = async (name: RegExp) => (await step(name).boundingBox())?.x ?? 0;
  expect(await left(/^Plan/)).toBeLessThan(await left(/^Repeat/));
  expect(await left(/^Repeat/)).toBeLessThan(await left(/^Publish/));
  await canvas.focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await page.keyboard.press('ArrowLeft');
  await expect(canvas).toHaveAttribute('aria-activedescendant', 'canvas-again');
  await page.keyboard.press('o');
  await expect(step(/^build, Agent task/)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(canvas).toHaveAttribute('aria-activedescendant', 'canvas-again/build');
  await expect(page).toHaveURL(/step=again%2Fbuild/);
  expect(await findings(page, '#/workflows, on the canvas')).toEqual([]);
  expect(readFileSync(join(project.path, WORKFLOW), 'utf8')).toBe(FLOW);
  if (process.env.MUSTER_SHOT) await page.screenshot({ path: process.env.MUSTER_SHOT });
  writeFileSync(join(project.path, WORKFLOW), 'name: [\n');
  await expect(page.getByRole('tab', { name: 'File', selected: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Canvas' }).click();
  await expect(page.getByText('nothing to draw yet')).toBeVisible();
  await page.getByRole('tab', { name: /^List/ }).click();
  await page.getByRole('button', { name: 'Show the file' }).click();
  await expect(page.getByRole('tab', { name: 'File', selected: true })).toBeVisible();
  // A file with errors is drawn as far as it can be parsed, and an empty one can be started.
  writeFileSync(join(project.path, WORKFLOW), 'steps:\n  - { id: a, type: step.command }\n  - { id: 7 }\n');
  await page.getByRole('tab', { name: /^List/ }).click();
  await expect(page.getByRole('button', { name: 'Change a', exact: true })).toBeVisible();
  writeFileSync(join(project.path, WORKFLOW), '# begun\n');
  await expect(page.getByText('There are no steps yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.keyboard.type('command');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Change Command', exact: true })).toBeFocused();
  expect(readFileSync(join(project.path, WORKFLOW), 'utf8')).toMatch(/^# begun\nsteps:\n {2}- id: command\n/);
});

/** Two of its turns wait for a file. */
const script = (folder: string) => `match:
  - when: Shorter
    reply: {do: [{wait_for_file: ${folder}/shorter}], text: A plan of three parts., usage: {input_tokens: 1, output_tokens: 1}}
  - when: Build
    reply: {do: [{wait_for_file: ${folder}/build}], text: Built.}
default:
  text: A plan of three parts.
  usage: {input_tokens: 1200, output_tokens: 50, cost_usd: 0.25}
`;

test('a run is followed on its canvas: re-prompts, tokens and cost, passes of a loop, cables, and a gate answered on its step', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const flow = FLOW.replace(/ {4}when: .*\n/, '')
    .replace(/ {2}- \{from: gone.*\n/, '')
    .replace(
      'instruction: Plan.',
      'instruction: Plan., re_prompts: [Again., Shorter.], separate_outputs: true',
    )
    .replace("'echo DONE'", "'if [ -f twice ]; then echo DONE; else touch twice; fi'");
  const project = await bench.project(muster, scripted(flow, script(bench.scratch)));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await muster.call('run.get', { runId });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/run/${row.uid}?show=canvas`);
  const canvas = page.getByRole('application', { name: 'Canvas of the run Drawn' });
  const step = (name: RegExp) => canvas.getByRole('group', { name });
  await expect(step(/^Plan the work, Agent task, .*Re-prompt 2\/2/)).toContainText('2.5k tokens · $0.50');
  letGo(bench.scratch, 'shorter');
  await expect(step(/^Repeat, Loop, .*Iteration 1\/3/)).toBeVisible();
  await expect(step(/^build, Agent task, .*Prompt/)).toBeVisible();
  letGo(bench.scratch, 'build');
  await expect(step(/^Plan the work, Agent task, Succeeded/)).toBeVisible();
  const loop = step(/^Repeat, Loop, Succeeded, Iteration 2\/3/);
  await expect(loop).toContainText('Iteration 2/3');
  await expect(loop.getByTitle('Repeat', { exact: true })).toHaveText('Repeat');
  const isCut = (one: HTMLElement) => one.scrollWidth > one.clientWidth;
  expect(await loop.getByTitle('Repeat', { exact: true }).evaluate(isCut), 'its name is not cut').toBe(false);
  await expect(step(/^check, Command, Succeeded/)).toBeVisible();
  // The view has followed the run to it.
  await expect(step(/^Publish\?, Approval, Waits for you/)).toBeInViewport();
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('.');
  await expect(page.getByRole('complementary', { name: 'Cable' })).toContainText(
    'Nothing has passed through',
  );
  await page.keyboard.press('.');
  await expect(page.getByRole('complementary', { name: 'Cable' })).toContainText('A plan of three parts');
  await canvas.getByRole('button', { name: 'Show the whole workflow' }).click();
  await step(/^Publish/).click();
  const side = page.getByRole('complementary', { name: 'Step' });
  // The outputs of a step, with the labels of the run's own definition.
  await canvas.locator('.react-flow__handle[data-nodeid="plan"][data-handleid="data_out"]').click();
  const outputs = page.getByRole('region', { name: 'Outputs of Plan the work' });
  await expect(outputs.getByRole('region', { name: 'Original Response' })).toContainText(
    'A plan of three parts',
  );
  await expect(outputs.getByRole('region', { name: '📄 "Shorter."' })).toBeVisible();
  expect(await findings(page, 'the canvas of a run')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(outputs).toBeHidden();
  // The current file is compared with the workflow at the start of the run.
  await expect(page.getByRole('button', { name: 'The file has changed since' })).toBeHidden();
  writeFileSync(join(project.path, WORKFLOW), flow.replace('Publish it?', 'Ship it?'));
  await page.getByRole('button', { name: 'The file has changed since' }).click();
  const difference = page.getByRole('dialog', { name: 'The workflow of the run and the current file' });
  await expect(difference).toContainText('Publish it?');
  await expect(difference).toContainText('Ship it?');
  await difference.getByRole('button', { name: 'Close' }).click();
  if (process.env.MUSTER_SHOT)
    await page.screenshot({ path: process.env.MUSTER_SHOT.replace('.png', '-run.png') });
  await canDecide(page);
  await side.getByRole('button', { name: /^Approve/ }).click();
  await expect(step(/^Publish\?, Approval, Succeeded/)).toBeVisible();
});
