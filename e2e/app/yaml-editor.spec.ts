import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, WORKFLOW } from '../fixtures/test';

const TEXT = `name: Written
steps:
  - id: say
    type: step.command
    config:
      script: echo hello
`;

test('a workflow is written in the window with completion, live problems and a draft that stays, and no save overwrites a change', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  const project = await bench.project(muster, { [WORKFLOW]: TEXT });
  const path = join(project.path, WORKFLOW);
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}?show=text`,
  );
  const editor = page.getByRole('textbox', { name: /^Text of/ });
  await expect(editor).toContainText('echo hello');
  // Letters are text here, not commands.
  await editor.press('Control+End');
  await page.keyboard.type('  - id: more\ntyp');
  const offered = page.getByRole('listbox', { name: 'Completions' });
  await offered.getByRole('option', { name: /^type/ }).click();
  await page.keyboard.type('step.comm');
  await offered.getByRole('option', { name: /^step\.command/ }).click();
  const problems = page.getByRole('list', { name: 'Problems' });
  await expect(problems).toContainText('more');
  await page.reload();
  await expect(editor).toContainText('type: step.command');
  await expect(page.getByRole('status').filter({ hasText: 'Not saved' })).toBeVisible();
  await editor.press('Control+End');
  await page.keyboard.type('\nconfig:\n  script: echo $say');
  await expect(offered).toContainText('$say.output');
  await page.keyboard.press('Escape');
  // The same place changes on disk meanwhile.
  writeFileSync(
    path,
    TEXT.replace('echo hello', 'echo hello\n  - {id: other, type: step.command, config: {script: "true"}}'),
  );
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('alert').filter({ hasText: 'changed elsewhere' });
  await expect(conflict).toBeVisible();
  expect(readFileSync(path, 'utf8')).toContain('other');
  await conflict.getByRole('button', { name: 'Overwrite it' }).click();
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
  expect(readFileSync(path, 'utf8')).toContain('echo $say');
  expect(refused.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
});
