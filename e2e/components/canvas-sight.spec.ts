import type { Locator } from '@playwright/test';
import { expect, test } from './part';
import { command, type FileOf, show } from './workflow';

const CHAIN: FileOf = {
  steps: Array.from({ length: 6 }, (_, index) =>
    command(`s${index}`, { position: { x: index * 280, y: 0 } }),
  ),
  cables: Array.from({ length: 5 }, (_, index) => ({
    from: `s${index}.data_out`,
    to: `s${index + 1}.data_in`,
  })),
};

const nameSize = (body: Locator) =>
  body
    .locator('[id="canvas-s0"] [title="s0"]')
    .evaluate(
      (one) =>
        (Number.parseFloat(getComputedStyle(one).fontSize) * one.getBoundingClientRect().height) /
        (one as HTMLElement).offsetHeight,
    );

test('a canvas with more steps than can be read at once opens at its first ones, and shows all of them on request', async ({
  part,
}) => {
  const { page } = part;
  await page.setViewportSize({ width: 700, height: 500 });
  const body = await show(part, 'canvas', CHAIN);
  await expect(body.locator('[id="canvas-s0"]')).toBeInViewport({ ratio: 0.99 });
  expect(await nameSize(body)).toBeGreaterThanOrEqual(11);
  await expect(body.locator('[id="canvas-s5"]')).toHaveCount(0);
  await body.getByRole('button', { name: 'Show the whole workflow' }).click();
  await expect(body.locator('[id="canvas-s5"]')).toBeInViewport({ ratio: 0.99 });
  // Another size keeps what was asked for.
  await page.setViewportSize({ width: 500, height: 500 });
  await expect(body.locator('[id="canvas-s5"]')).toBeInViewport({ ratio: 0.99 });
  await expect(body.locator('[id="canvas-s0"]')).toBeInViewport({ ratio: 0.99 });
});

test('a canvas that is seen from far has its cables when the window becomes larger', async ({ part }) => {
  const { page } = part;
  await page.setViewportSize({ width: 500, height: 500 });
  const body = await show(part, 'canvas', CHAIN);
  await body.getByRole('button', { name: 'Show the whole workflow' }).click();
  await expect(body.locator('[id="canvas-s5"]')).toBeVisible();
  await page.setViewportSize({ width: 1900, height: 800 });
  await expect(body.locator('[id="canvas-s5"]')).toContainText('Command');
  await expect(body.locator('[data-part="canvas-cable"]')).toHaveCount(5);
});

test('a large canvas opens as shapes that lie where their steps are, and each of them becomes a step', async ({
  part,
}) => {
  const { page } = part;
  // What the first frame with shapes shows; all of it is over before a locator could look.
  await page.evaluate(() => {
    const seen: Record<string, number[]> = {};
    const boxOf = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    };
    const watcher = new MutationObserver(() => {
      const shapes = [...document.querySelectorAll('[data-part="canvas-shape"]')];
      const last = shapes.at(-1);
      if (last === undefined) return;
      watcher.disconnect();
      requestAnimationFrame(() => {
        seen.last = boxOf(last);
        seen.count = [shapes.length];
      });
    });
    watcher.observe(document, { childList: true, subtree: true });
    Object.assign(window, { shapesSeen: seen });
  });
  const steps = Array.from({ length: 120 }, (_, index) =>
    command(`s${index}`, { position: { x: (index % 12) * 280, y: Math.floor(index / 12) * 140 } }),
  );
  const body = await show(part, 'canvas', { steps });
  await expect(body.locator('[data-part="canvas-step"]')).toHaveCount(120);
  await expect(body.locator('[data-part="canvas-shape"]')).toHaveCount(0);
  const seen = await page.evaluate(() => window.shapesSeen);
  // The step that is chosen at first has its element at once.
  expect(seen.count?.[0]).toBeGreaterThanOrEqual(119);
  const now = await body.locator('[id="canvas-s119"]').boundingBox();
  expect(now && [now.x, now.y, now.width, now.height].map(Math.round)).toEqual(seen.last);
  await body.locator('[id="canvas-s119"]').click();
  await expect(body.locator('[data-part="canvas"]')).toHaveAttribute('aria-activedescendant', 'canvas-s119');
});
