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

test('a canvas that is first seen from far has its cables when the window becomes larger', async ({
  part,
}) => {
  const { page } = part;
  await page.setViewportSize({ width: 500, height: 500 });
  const body = await show(part, 'canvas', CHAIN);
  await expect(body.locator('[id="canvas-s5"]')).toBeVisible();
  await page.setViewportSize({ width: 1900, height: 800 });
  await expect(body.locator('[id="canvas-s5"]')).toContainText('Command');
  await expect(body.locator('[data-part="canvas-cable"]')).toHaveCount(5);
});
