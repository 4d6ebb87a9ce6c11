import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { findings } from '../fixtures/axe';
import { type Bench, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const FORMS = `# Ours
name: Forms
steps:
  - id: plan # first
    type: step.agent_task
    config:
      acp_profile_id: worker # the fast one
      instruction: Plan.
  - id: build
    type: step.coding
    config:
      instruction: Build. # in a line
      agents:
        - role: builder # hands
          acp_profile_id: worker
  - id: look
    type: step.agent_review_gate
    config:
      acp_profile_id: worker
      instruction: Look. # twice
cables:
  - { from: plan.data_out, to: build.data_in } # one
  - { from: build.data_out, to: look.data_in }
`;

/** The form of a step, and a check of what each action in it changes in the file. */
async function form(bench: Bench, id: string) {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, {
    ...scripted(FORMS, 'default: Done.\n'),
    'docs/known.md': 'known\n',
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@muster.invalid', ...args], {
      cwd: project.path,
      encoding: 'utf8',
    });
  await muster.app.evaluate(
    ({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    },
    join(project.path, 'docs/known.md'),
  );
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}?show=steps&step=${id}`,
  );
  const panel = page.getByRole('region', { name: `Step ${id}`, exact: true });
  await expect(panel.getByLabel('Name', { exact: true })).toHaveValue(id);
  const lines = () =>
    git('diff', '-U0', '--', WORKFLOW)
      .split('\n')
      .filter((line) => /^[-+](?![-+]{2})/.test(line));
  /** Performs an action, waits until `git diff` shows exactly these lines, and commits them. */
  const changes = async (act: Promise<unknown>, wanted: readonly string[]) => {
    await act;
    await expect.poll(lines, { intervals: [25, 50, 100] }).toEqual(wanted);
    git('commit', '--quiet', '--all', '--message', 'next');
  };
  return { page, panel, changes };
}

/** Fills in a field and leaves it, which saves it. */
async function write(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.blur();
}

const field = (panel: Locator, name: string) => panel.getByLabel(name, { exact: true });
const press = (panel: Locator, name: string) => panel.getByRole('button', { name, exact: true }).click();
const unfold = async (panel: Locator, name: string) => {
  const head = panel.getByRole('button', { name, exact: true });
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
};

async function environment(page: Page, panel: Locator): Promise<void> {
  await panel.getByRole('textbox', { name: 'New name in environment' }).fill('TOKEN');
  await page.keyboard.press('Enter');
  await write(panel.getByRole('textbox', { name: 'Value of TOKEN' }), 'x');
}

test('each key of an agent task is written by its field, and nothing else is', async ({ shared: bench }) => {
  const { page, panel, changes } = await form(bench, 'plan');
  await changes(write(field(panel, 'Instruction (required)'), 'Plan it.'), [
    '-      instruction: Plan.',
    '+      instruction: Plan it.',
  ]);
  await changes(press(panel, 'Attach files to the instruction'), [
    '+      attachments:',
    '+        - docs/known.md',
  ]);
  await changes(field(panel, 'Agent').selectOption('Rehearsal'), [
    '-      acp_profile_id: worker # the fast one',
    '+      acp_profile_id: scripted # the fast one',
  ]);
  await press(panel, 'Add re-prompt');
  await changes(write(panel.getByRole('textbox', { name: 'Re-prompt 1' }), 'Again.'), [
    '+      re_prompts:',
    '+        - "Again."',
  ]);
  await changes(field(panel, 'Send responses to separate outputs').click(), [
    '+      separate_outputs: true',
  ]);
  await press(panel, 'Add named output');
  await changes(write(field(panel, 'Named output 1 (required)'), 'score'), [
    '+      named_outputs:',
    '+        - "score"',
  ]);
  await changes(panel.getByText('That of the step before', { exact: true }).click(), [
    '+      session_mode: continue',
  ]);
  await changes(field(panel, 'Keep the conversation for the next activation').click(), [
    '+      session_persist: true',
  ]);
  await unfold(panel, 'Model, prompt and limits');
  await unfold(panel, 'Agent settings');
  await changes(write(field(panel, 'Model'), 'large'), ['+      agent_config:', '+        model: large']);
  await changes(write(field(panel, 'Mode'), 'ask'), ['+        mode: ask']);
  await changes(environment(page, panel), ['+        env:', '+          TOKEN: "x"']);
  await changes(field(panel, 'Prompt').selectOption('Template'), ['+      prompt: template']);
  await changes(write(field(panel, 'Maximum iterations'), '9'), ['+      max_iterations: 9']);
  expect(await findings(page, 'the form of an agent task')).toEqual([]);
  // Choosing the default removes the key from the file.
  await changes(panel.getByText('A new one', { exact: true }).click(), ['-      session_mode: continue']);
  await changes(field(panel, 'Keep the conversation for the next activation').click(), [
    '-      session_persist: true',
  ]);
});

test('each key of a coding step is written by its field, and nothing else is', async ({ shared: bench }) => {
  const { page, panel, changes } = await form(bench, 'build');
  await changes(write(field(panel, 'Instruction'), 'Build it.'), [
    '-      instruction: Build. # in a line',
    '+      instruction: Build it. # in a line',
  ]);
  await changes(press(panel, 'Attach files to the instruction'), [
    '+      attachments:',
    '+        - docs/known.md',
  ]);
  await changes(write(field(panel, 'Role (required)'), 'hands'), [
    '-        - role: builder # hands',
    '+        - role: hands # hands',
  ]);
  await changes(field(panel, 'Agent').selectOption('Rehearsal'), [
    '-          acp_profile_id: worker',
    '+          acp_profile_id: scripted',
  ]);
  await unfold(panel, 'Agent settings');
  await changes(write(field(panel, 'Model'), 'large'), [
    '+          agent_config:',
    '+            model: large',
  ]);
  await changes(write(field(panel, 'Instruction override'), 'Only the code.'), [
    '+          instruction_override: Only the code.',
  ]);
  await press(panel, 'Add re-prompt');
  await changes(write(panel.getByRole('textbox', { name: 'Re-prompt 1' }), 'Test it.'), [
    '+          re_prompts:',
    '+            - "Test it."',
  ]);
  // Only a second agent makes coordination possible.
  await expect(field(panel, 'How the agents work together')).toHaveCount(0);
  await press(panel, 'Add agent');
  const second = panel.getByRole('listitem', { name: 'Agent 2' });
  await write(field(second, 'Role (required)'), 'reviewer');
  await changes(field(second, 'Agent').selectOption('Worker'), [
    '+        - role: "reviewer"',
    '+          acp_profile_id: worker',
  ]);
  await changes(field(panel, 'How the agents work together').selectOption('Review chain'), [
    '+      coordination: review_chain',
  ]);
  await changes(write(field(panel, 'Said before the work of the agent before'), 'Mind the tests.'), [
    '+      handoff_instruction: Mind the tests.',
  ]);
  await changes(write(field(panel, 'Most reviews'), '2'), ['+      max_rounds: 2']);
  await unfold(panel, 'Tests, conversations and limits');
  await changes(field(panel, 'Give out the results of the last tests').click(), [
    '+      capture_test_results: false',
  ]);
  await press(panel, 'Add test pattern');
  await changes(write(field(panel, 'Test pattern 1 (required)'), 'make proof'), [
    '+      test_patterns:',
    '+        - "make proof"',
  ]);
  await changes(field(panel, 'After the work, conversations').selectOption('Park'), [
    '+      session_style: park',
  ]);
  await changes(field(panel, 'Keep the conversation for the next activation').click(), [
    '+      session_persist: true',
  ]);
  await changes(write(field(panel, 'Maximum iterations'), '20'), ['+      max_iterations: 20']);
  expect(await findings(page, 'the form of a coding step')).toEqual([]);
});

test('each key of a review is written by its field, and nothing else is', async ({ shared: bench }) => {
  const { page, panel, changes } = await form(bench, 'look');
  await changes(write(field(panel, 'Instruction (required)'), 'Look again.'), [
    '-      instruction: Look. # twice',
    '+      instruction: Look again. # twice',
  ]);
  await changes(press(panel, 'Attach files to the instruction'), [
    '+      attachments:',
    '+        - docs/known.md',
  ]);
  await changes(field(panel, 'Agent').selectOption('Default agent'), ['-      acp_profile_id: worker']);
  await changes(field(panel, 'Agent').selectOption('Worker'), ['+      acp_profile_id: worker']);
  await press(panel, 'Add re-prompt');
  await changes(write(panel.getByRole('textbox', { name: 'Re-prompt 1' }), 'As an attacker.'), [
    '+      re_prompts:',
    '+        - "As an attacker."',
  ]);
  await changes(write(field(panel, 'Most revises that lead back'), '5'), ['+      max_attempts: 5']);
  await changes(panel.getByText('That of the step before', { exact: true }).click(), [
    '+      session_mode: continue',
  ]);
  await changes(field(panel, 'Keep the conversation for the next activation').click(), [
    '+      session_persist: true',
  ]);
  await unfold(panel, 'Model, prompt and limits');
  await unfold(panel, 'Agent settings');
  await changes(write(field(panel, 'Model'), 'large'), ['+      agent_config:', '+        model: large']);
  await changes(field(panel, 'Prompt').selectOption('Template'), ['+      prompt: template']);
  await changes(write(field(panel, 'Maximum iterations'), '9'), ['+      max_iterations: 9']);
  expect(await findings(page, 'the form of a review')).toEqual([]);
});
