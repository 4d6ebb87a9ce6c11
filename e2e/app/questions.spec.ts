import type { Page } from '@playwright/test';
import { findings } from '../fixtures/axe';
import { type ModelServer, startModelServer } from '../fixtures/model-server';
import { looksBack } from '../fixtures/replay';
import { test as base, expect } from '../fixtures/test';

const test = base.extend<{ models: ModelServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  models: async ({}, use) => {
    const models = await startModelServer();
    await use(models);
    await models.close();
  },
});

const gateway = ({ url }: ModelServer) => ({ kind: 'gateway', api: 'openai', base_url: url });

const files = (models: ModelServer): Record<string, string> => ({
  '.muster/agents.yaml': JSON.stringify({
    profiles: [
      { ...gateway(models), id: 'root', name: 'Root model', model: 'scripted' },
      { ...gateway(models), id: 'sub', name: 'Small model', model: 'scripted-small' },
    ],
  }),
  'docs/a.txt': 'One.\nTwo.\nThe red key opens the cellar door.\n',
  'docs/b.txt': 'Nothing here.\n',
});

const repl = (code: string): string => `Let me look.\n\`\`\`repl\n${code}\n\`\`\``;

/** The models' answers: a batch, a loop that the operator must interrupt, the answer. */
function script(models: ModelServer): void {
  const replies = [
    repl('parts = llm_query_batched([("What opens it?", text) for text in context])\nprint(parts)'),
    repl('while True:\n    pass'),
    'FINAL(Doc 0 says "The red key opens the cellar door", and Doc 9 says "nothing of the kind at all".)',
  ];
  for (const text of replies)
    models.script({
      when: ({ model }) => model === 'scripted',
      answer: { text, usage: { input: 900, output: 100 } },
      times: 1,
    });
  models.script({
    when: ({ model }) => model === 'scripted-small',
    answer: { text: 'the red key', usage: { input: 20, output: 5 } },
  });
}

test('the form of a question without a model leads to a new profile, and keeps its text', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, { 'a.txt': 'One.\n' });
  await page.evaluate(() => {
    location.hash = '#/questions/new';
  });
  const question = page.getByLabel('Question', { exact: true });
  // It has room for a question of several lines.
  expect((await question.boundingBox())?.height).toBeGreaterThan(60);
  await question.fill('What opens it?');
  await page.getByRole('link', { name: /^Create a profile for an OpenAI/ }).click();
  await expect(page.getByRole('textbox', { name: 'Model' })).toBeVisible();
  await page.goBack();
  await expect(question).toHaveValue('What opens it?');
});

async function ask(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Questions/ }).click();
  await expect(page.getByRole('heading', { name: 'No questions yet' })).toBeVisible();
  const button = page.getByRole('button', { name: 'Ask', exact: true });
  await expect(button).toBeDisabled();
  await page.getByLabel('Question', { exact: true }).fill('What opens the cellar?');
  await page.getByLabel('Documents', { exact: true }).fill('nowhere');
  await expect(page.getByText('There is no document at nowhere.')).toBeVisible();
  await expect(page.getByText('Change the documents first.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask', exact: true })).toBeDisabled();
  await page.getByLabel('Documents', { exact: true }).fill('docs');
  await expect(page.getByText('2 files, ')).toBeVisible();
  await page.getByLabel('Root model').selectOption({ label: 'Root model' });
  await page.getByLabel('Sub-model').selectOption({ label: 'Small model' });
  await page.getByRole('button', { name: 'More limits' }).click();
  await page.getByLabel(/Run code even if/).check();
  await button.click();
}

test('a question is asked in the window, followed through each iteration, interrupted and answered with its citations', async ({
  bench,
  models,
}) => {
  script(models);
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, files(models));
  await ask(page);

  // The loop, not the block before it: an active row is expanded automatically.
  const second = page.getByRole('region', { name: 'Iteration 2', exact: true });
  await expect(second.getByRole('region', { name: 'Block 1', exact: true })).toBeVisible({
    timeout: 120_000,
  });
  await page.getByRole('button', { name: 'Interrupt the code' }).click();
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await expect(answer).toContainText('Doc 0 says', { timeout: 120_000 });
  await expect(answer).toContainText('The answer cites documents that do not exist: 9.');
  await expect(answer).toContainText('“nothing of the kind at all” is in none of the documents.');
  await answer.getByRole('button', { name: /The red key opens the cellar door/ }).click();
  const document = answer.getByRole('region', { name: 'Document from line 1' });
  await expect(document).toContainText('Two.');
  await expect(document.locator('mark')).toContainText('The red key opens the cellar door');

  await second.getByRole('button', { name: 'Iteration 2' }).click();
  await expect(second.getByRole('region', { name: 'Block 1', exact: true })).toContainText('Interrupted');

  const first = page.getByRole('region', { name: 'Iteration 1', exact: true });
  await first.getByRole('button', { name: 'Iteration 1' }).click();
  await expect(page).toHaveURL(/#\/question\/1\/1\/iteration\/1$/);
  const block = first.getByRole('region', { name: 'Block 1', exact: true });
  await block.getByRole('button', { name: 'Code', exact: true }).click();
  await expect(block.getByRole('region', { name: 'Code of block 1' })).toContainText('llm_query_batched');
  await expect(block.getByRole('region', { name: 'Output of block 1' })).toContainText('the red key');
  await block.getByRole('button', { name: '2 sub-calls' }).click();
  const call = block.getByRole('button', { name: 'Sub-call 1' });
  await expect(call).toContainText('scripted-small');
  await expect(call).toContainText('25 tokens');
  await call.click();
  await expect(block.getByRole('region', { name: 'Prompt of sub-call 1' })).toContainText('What opens it?');
  await expect(block.getByRole('region', { name: 'Answer to sub-call 1' })).toContainText('the red key');
  expect(await findings(page, '#/question/1')).toEqual([]);

  await looksBack(page, () => expect(page.getByRole('region', { name: /^Iteration \d/ })).toHaveCount(0));
  await page.getByRole('button', { name: 'Ask the question again' }).click();
  await expect(page.getByLabel('Question', { exact: true })).toHaveValue('What opens the cellar?');
  expect(await findings(page, '#/questions/new')).toEqual([]);
});
