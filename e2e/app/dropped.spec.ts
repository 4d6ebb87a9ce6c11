import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startTeam } from '../fixtures/team';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

interface Dragged {
  readonly text?: string;
  readonly file?: string;
}

/** Drops something from outside on the middle of an element, like a drag by hand. */
async function drop(page: Page, on: Locator, { text, file }: Dragged): Promise<void> {
  const box = await on.boundingBox();
  if (box === null) throw new Error('it is not on screen');
  const data = {
    items: text === undefined ? [] : [{ mimeType: 'text/plain', data: text }],
    files: file === undefined ? [] : [file],
    dragOperationsMask: 1,
  };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at });
  await session.detach();
}

const steps = `name: Build it
steps:
  - { id: build, type: step.agent_task, config: { acp_profile_id: worker, instruction: Build. } }
`;

test('text that is dropped is written where it falls, and files are attached', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const file = join(bench.scratch, 'notes.txt');
  writeFileSync(file, 'notes');
  const goTo = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  const project = await bench.project(muster, scripted(steps, 'default: Built.\n'));
  const remove = page.getByRole('button', { name: `Remove ${file}` });

  await goTo(`#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}`);
  const instruction = page.getByRole('textbox', { name: 'Instruction' });
  await drop(page, instruction, { text: 'Make it blue' });
  await expect(instruction).toHaveValue('Make it blue');
  await drop(page, instruction, { file });
  await expect(remove).toBeVisible();
  await expect(instruction).toHaveValue('Make it blue');

  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  await goTo(`#/session/${runId}/1`);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await drop(page, prompt, { text: 'And round' });
  await expect(prompt).toHaveValue('And round');
  await drop(page, prompt, { file });
  await expect(remove).toBeVisible();
  await expect(prompt).toHaveValue('And round');

  const team = await startTeam(bench, muster, {
    scripts: { quick: 'default: <task-result>Read.</task-result>\n' },
    config: { members: [{ name: 'S1', agent: 'quick', prompt: 'Read.', iterative: true }] },
  });
  await goTo(`#/team/${team.runId}/1/S1`);
  const message = page.getByRole('textbox', { name: 'Message' });
  await drop(page, message, { text: 'Once more' });
  await expect(message).toHaveValue('Once more');
});
