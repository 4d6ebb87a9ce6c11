import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const TEXT = `name: Small
steps:
  - { id: ship, type: step.approval, config: { message: 'Ship it?' } } # ours
`;

/** Only root may mount a separate disk. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** A disk of 64 KiB, and functions that change it. Without one, only the file can be made read-only. */
function smallDisk(file: string) {
  const folder = dirname(file);
  const mount = (...args: string[]) => execFileSync('mount', args);
  if (canMount) mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder);
  writeFileSync(file, TEXT);
  return {
    fill: () => {
      for (const size of [32_768, 4_096])
        for (let name = 0; name < 32; name += 1)
          try {
            writeFileSync(join(folder, `.${size}-${name}`), 'x'.repeat(size));
          } catch {
            break;
          }
    },
    free: () => {
      for (const size of [32_768, 4_096])
        for (let name = 0; name < 32; name += 1) rmSync(join(folder, `.${size}-${name}`), { force: true });
    },
    seal: () => (canMount ? mount('-o', 'remount,ro', folder) : chmodSync(file, 0o444)),
    remove: () => {
      if (canMount) execFileSync('umount', ['--lazy', folder]);
    },
  };
}

const open = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

test('a workflow is neither lost nor half written on a full disk, and a read-only file is only shown', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(TEXT, 'default: Done.\n'));
  const file = join(project.path, WORKFLOW);
  const text = () => readFileSync(file, 'utf8');
  const disk = smallDisk(file);
  try {
    await open(page, `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}?show=canvas&step=ship`);
    const message = page
      .getByRole('region', { name: 'Step ship' })
      .getByRole('textbox', { name: /^Message/ });
    const canvas = page.getByRole('application', { name: 'Canvas of Small' });
    await expect(message).toHaveText('Ship it?');
    if (canMount) {
      disk.fill();
      await message.press('Control+End');
      await page.keyboard.type(' Now, and with a sentence that is longer.');
      await message.blur();
      const faults = page.getByText(`${WORKFLOW} was not written: the disk is full.`);
      await expect(faults.first()).toBeVisible();
      await expect(message).toHaveText('Ship it? Now, and with a sentence that is longer.');
      await page.reload();
      await expect(message).toHaveText('Ship it? Now, and with a sentence that is longer.');
      // What the canvas drew before it was written is taken back.
      await expect(canvas.locator('[id="canvas-ship"]')).toBeVisible();
      await canvas.focus();
      // Watched before the key is pressed: the refusal comes at once.
      await page.evaluate(() => {
        const step = document.getElementById('canvas-ship');
        const before = step?.style.transform;
        let moved = false;
        const look = () => {
          if (step?.style.transform !== before) moved = true;
          else if (moved) document.body.dataset.benchMove = 'taken back';
        };
        if (step !== null) new MutationObserver(look).observe(step, { attributes: true });
      });
      await page.keyboard.press('Shift+ArrowDown');
      await expect(page.locator('body[data-bench-move="taken back"]')).toBeAttached();
      await expect(faults.first()).toBeVisible();
      expect(text()).toBe(TEXT);
      disk.free();
      await message.press('Control+End');
      await page.keyboard.type('!');
      await message.blur();
      await expect
        .poll(text)
        .toBe(TEXT.replace('Ship it?', 'Ship it? Now, and with a sentence that is longer.!'));
    }
    const before = text();
    disk.seal();
    await page.reload();
    await expect(canvas.getByText('The file is read-only.')).toBeVisible();
    await expect(canvas.getByRole('button', { name: 'Add a step' })).toHaveCount(0);
    await expect(message).toHaveAttribute('aria-readonly', 'true');
    const written = await muster
      .call('workflow.edit', {
        projectId: project.id,
        file: WORKFLOW,
        base: (await muster.call('workflow.source', { projectId: project.id, file: WORKFLOW })).hash,
        edits: [{ kind: 'value.set', step: [], path: ['name'], value: 'Other' }],
      })
      .catch((error: Error) => error.message);
    expect(written).toContain('it or its folder is read-only');
    expect(text()).toBe(before);
    expect(existsSync(file)).toBe(true);
  } finally {
    disk.remove();
  }
});
