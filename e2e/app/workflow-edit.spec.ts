import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcedureInput } from '@contract/ipc';
import { findings } from '../fixtures/axe';
import { pressBoth } from '../fixtures/press-both';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const TEXT = `# Ours
name: Release   # by hand

steps:
  - id: plan      # first
    type: step.agent_task
    config:
      instruction: >-
        Plan the
        release.
      acp_profile_id: worker
      re_prompts:
        - Review it.   # one
        - Consolidate.
  # then
  - { id: check, type: step.approval, config: { message: "Is \\"$plan.output\\" good?" } }
cables:
  - { from: plan.data_out, to: check.data_in } # the only one
`;

type Edit = ProcedureInput<'workflow.edit'>['edits'][number];
const REPROMPTS = { step: ['plan'], path: ['config', 're_prompts'] };

/** Each edit with the lines of `git diff` that it produces for the text above. */
const EDITS: readonly (readonly [Edit, readonly string[]])[] = [
  [
    {
      kind: 'step.add',
      body: [],
      at: 1,
      step: { id: 'test', type: 'step.command', config: { script: 'npm t' } },
    },
    ['+  - id: test', '+    type: step.command', '+    config:', '+      script: npm t'],
  ],
  [
    { kind: 'step.remove', step: ['check'] },
    [
      '-  - { id: check, type: step.approval, config: { message: "Is \\"$plan.output\\" good?" } }',
      '-cables:',
      '-  - { from: plan.data_out, to: check.data_in } # the only one',
      '+cables: []',
    ],
  ],
  [
    { kind: 'step.rename', step: ['plan'], id: 'draft' },
    [
      '-  - id: plan      # first',
      '+  - id: draft      # first',
      '-  - { id: check, type: step.approval, config: { message: "Is \\"$plan.output\\" good?" } }',
      '+  - { id: check, type: step.approval, config: { message: "Is \\"$draft.output\\" good?" } }',
      '-  - { from: plan.data_out, to: check.data_in } # the only one',
      '+  - { from: draft.data_out, to: check.data_in } # the only one',
    ],
  ],
  [{ kind: 'step.move', step: ['plan'], position: { x: 40, y: 8 } }, ['+    position: { x: 40, y: 8 }']],
  [{ kind: 'value.set', step: [], path: ['max_parallel'], value: 2 }, ['+max_parallel: 2']],
  [
    { kind: 'value.unset', step: ['plan'], path: ['config', 'acp_profile_id'] },
    ['-      acp_profile_id: worker'],
  ],
  [{ kind: 'list.insert', ...REPROMPTS, at: 1, value: 'Again.' }, ['+        - Again.']],
  [{ kind: 'list.remove', ...REPROMPTS, at: 1 }, ['-        - Consolidate.']],
  [
    { kind: 'list.move', ...REPROMPTS, at: 0, to: 1 },
    ['-        - Review it.   # one', '+        - Review it.   # one'],
  ],
  [
    { kind: 'cable.add', body: [], from: 'plan.signal_out', to: 'check.signal_in' },
    ['+  - { from: plan.signal_out, to: check.signal_in }'],
  ],
  [
    { kind: 'cable.remove', body: [], from: 'plan.data_out', to: 'check.data_in' },
    ['-cables:', '-  - { from: plan.data_out, to: check.data_in } # the only one', '+cables: []'],
  ],
  [
    {
      kind: 'cable.reconnect',
      body: [],
      from: 'plan.data_out',
      to: 'check.data_in',
      newTo: 'check.context_in',
    },
    [
      '-  - { from: plan.data_out, to: check.data_in } # the only one',
      '+  - { from: plan.data_out, to: check.context_in } # the only one',
    ],
  ],
];

test('each edit gives a git diff of its own lines, and a file changed on disk is merged or refused', async ({
  bench,
}) => {
  const muster = await bench.serve();
  const project = await bench.project(muster, scripted(TEXT, 'default: Done.\n'));
  const at = { projectId: project.id, file: WORKFLOW };
  const file = join(project.path, WORKFLOW);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.path, encoding: 'utf8' });
  git('add', '-A', '-f');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'before', '--no-verify', '--allow-empty');
  const { hash } = await muster.call('workflow.source', at);
  for (const [edit, lines] of EDITS) {
    await muster.call('workflow.edit', { ...at, base: hash, edits: [edit] });
    const diff = git('diff', '-U0', '--', WORKFLOW)
      .split('\n')
      .filter((line) => /^[-+](?![-+]{2})/.test(line));
    expect([edit.kind, diff.filter((line) => line !== '').sort()]).toEqual([edit.kind, [...lines].sort()]);
    writeFileSync(file, TEXT);
  }

  // One change that can be merged, and one that cannot.
  const outside = TEXT.replace('Ours', 'Yours').replace('Consolidate.', 'Sum it up.');
  writeFileSync(file, outside);
  const name: Edit = { kind: 'value.set', step: [], path: ['name'], value: 'Ship' };
  const merged = await muster.call('workflow.edit', { ...at, base: hash, edits: [name] });
  expect(merged).toMatchObject({ kind: 'written', merged: true });
  expect(readFileSync(file, 'utf8')).toBe(outside.replace('name: Release', 'name: Ship'));
  const remove: Edit = { kind: 'list.remove', ...REPROMPTS, at: 1 };
  const refused = await muster.call('workflow.edit', { ...at, base: hash, edits: [remove] });
  expect(refused).toMatchObject({ kind: 'conflict', mine: TEXT.replace('        - Consolidate.\n', '') });
  expect(readFileSync(file, 'utf8')).toBe(outside.replace('name: Release', 'name: Ship'));
});

test('re-prompts are added, written, moved by key, removed and undone in the panel of their step', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(TEXT, 'default: Done.\n'));
  const file = join(project.path, WORKFLOW);
  const text = () => readFileSync(file, 'utf8');
  await pressBoth(page, 'g', 'w');
  await page.getByRole('option', { name: /Release/ }).click();
  await page.getByRole('tab', { name: /^List/ }).click();
  await page.getByRole('button', { name: 'Edit plan' }).click();
  const panel = page.locator('[data-part="step-panel"]');
  const list = panel.getByRole('region', { name: 'Re-prompts' });
  const entries = list.getByRole('listitem', { name: /^Re-prompt/ });
  await expect(entries).toHaveCount(2);
  expect(await findings(page, 'the panel of a step')).toEqual([]);

  await list.getByRole('button', { name: 'Add re-prompt' }).click();
  await expect(entries).toHaveCount(3);
  await expect(entries.nth(2)).toContainText('re-prompt 3 is empty');
  const third = list.getByRole('textbox', { name: 'Re-prompt 3' });
  await third.fill('Check the\nnumbers.');
  await third.blur();
  await expect
    .poll(text)
    .toBe(
      TEXT.replace(
        '- Consolidate.\n',
        '- Consolidate.\n        - |-\n          Check the\n          numbers.\n',
      ),
    );
  await third.press('Alt+ArrowUp');
  await expect(list.getByRole('textbox', { name: 'Re-prompt 2' })).toHaveText('Check thenumbers.');
  await expect(list.getByRole('textbox', { name: 'Re-prompt 2' })).toBeFocused();
  await list.getByRole('button', { name: 'Remove re-prompt 1' }).click();
  await expect(entries).toHaveCount(2);
  expect(text()).not.toContain('Review it.');

  const undo = panel.getByRole('button', { name: 'Undo' });
  while (text() !== TEXT) {
    const before = text();
    await undo.click();
    await expect.poll(text).not.toBe(before);
  }
  await expect(undo).toBeDisabled();
  await expect(entries).toHaveCount(2);

  await page.getByRole('button', { name: 'Delete the workflow' }).click();
  await expect.poll(() => existsSync(file)).toBe(false);
  const deleted = page.getByRole('status').filter({ hasText: 'was deleted' });
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(file) && text()).toBe(TEXT);
});

test('a text with references is completed, marked and previewed, and is still there after a reload', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(TEXT, 'default: Done.\n'));
  const file = join(project.path, WORKFLOW);
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}?show=steps&step=check`,
  );
  const panel = page.locator('[data-part="step-panel"]');
  const message = panel.getByRole('textbox', { name: 'Message' });
  await expect(message).toHaveText('Is "$plan.output" good?');
  await expect(message.locator('.cm-reference')).toHaveText('$plan.output');
  await message.press('Control+End');
  await page.keyboard.type(' $nope.output.x $pl');
  const offered = page.getByRole('listbox', { name: 'Completions' });
  await offered.getByRole('option', { name: /^\$plan\.output/ }).click();
  await expect(panel).toContainText('there is no step "nope"');
  await expect(message.locator('.cm-lintRange-error')).toHaveText('$nope.output.x');
  await panel.getByRole('button', { name: 'Preview of Message' }).click();
  await expect(panel.getByRole('region', { name: 'Preview of Message' })).toContainText(
    'Is "<output of plan>" good? $nope.output.x <output of plan>',
  );
  expect(await findings(page, 'a text with a preview')).toEqual([]);
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('$nope.output.x $plan.output');
  await message.press('Control+End');
  await page.keyboard.type('!');
  await page.reload();
  await expect(message).toHaveText(/\$plan\.output!$/);
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('$plan.output!');
});

const PANELS = `name: Panels
steps:
  - id: ask
    type: step.approval
    config:
      message: Good?
      capture_response: true # ours
  - id: again
    type: step.loop
    config:
      prompt: Look again.
      max_iterations: 3
      until: DONE
      colour: red
  - id: trial
    type: step.experiment
    config:
      target: { id: judge, type: step.judge, config: { criteria: [] } }
      variants:
        - name: One
        - name: Two
  - id: run
    type: step.command
    config:
      script: echo $TOKEN
`;

test('an approval, a loop, an experiment and an environment are changed in their own forms', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(PANELS, 'default: Done.\n'));
  const text = () => readFileSync(join(project.path, WORKFLOW), 'utf8');
  const panel = page.locator('[data-part="step-panel"]');
  const open = (step: string) =>
    page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}?show=steps&step=${step}`,
    );
  await open('ask');
  await panel.getByText('One of several decisions', { exact: true }).click();
  await expect.poll(text).toContain('decisions:');
  expect(text()).not.toContain('capture_response');
  await panel.getByRole('button', { name: 'Without an answer' }).click();
  await panel.getByLabel('Default answer', { exact: true }).selectOption('No');
  await expect.poll(text).toContain('outcome: no');

  await open('again');
  await expect(panel).toContainText('unchanged: colour');
  await panel.getByText('One for all passes', { exact: true }).click();
  await expect.poll(text).toContain('session: shared');
  await expect(panel.getByRole('radio', { name: 'One for all passes' })).toBeChecked();
  await panel.getByText('Several steps', { exact: true }).click();
  await expect.poll(text).toContain('instruction: Look again.');
  expect(text()).not.toContain('session: shared');
  expect(text()).toContain('colour: red');

  await open('trial');
  const second = panel.getByRole('listitem', { name: 'Variant 2' });
  await second.getByLabel('Override a setting in variant 2').selectOption('Max score');
  await second.getByRole('spinbutton', { name: 'Max score' }).fill('20');
  await second.getByRole('spinbutton', { name: 'Max score' }).blur();
  await expect.poll(text).toMatch(/- name: Two\n +config_overrides:\n +max_score: 20/);
  expect(await findings(page, 'the form of an experiment')).toEqual([]);

  await open('run');
  const environment = panel.getByRole('region', { name: 'Environment' });
  await environment.getByRole('textbox', { name: 'New name in environment' }).fill('TOKEN');
  await environment.getByRole('button', { name: 'Add' }).click();
  await environment.getByRole('textbox', { name: 'Value of TOKEN' }).fill('x');
  await expect.poll(text).toMatch(/env:\n +TOKEN: "x"\n/);
  while (text() !== PANELS) {
    const before = text();
    await panel.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(text).not.toBe(before);
  }
});
