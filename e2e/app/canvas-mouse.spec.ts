import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { parse } from 'yaml';
import { findings } from '../fixtures/axe';
import { expect, test, WORKFLOW } from '../fixtures/test';

interface Place {
  readonly x: number;
  readonly y: number;
}
interface Written {
  readonly steps: readonly { readonly id: string; readonly position?: Place }[];
  readonly cables?: readonly { readonly from: string; readonly to: string }[];
}

const step = (id: string, x: number, y: number) =>
  `  - { id: ${id}, type: step.command, position: { x: ${x}, y: ${y} }, config: { script: echo ${id} } } # ${id}\n`;
/** Three steps near each other, and one far away. */
const FLOW = `name: Mouse
steps:
${step('plan', 0, 0)}${step('build', 40, 120)}${step('ship', 90, 240)}${step('archive', 3000, 1500)}cables:
  - { from: plan.data_out, to: build.data_in }
  - { from: build.data_out, to: ship.data_in }
`;

async function boxOf(of: Locator) {
  const box = await of.boundingBox();
  if (box === null) throw new Error('it is not on screen');
  return box;
}

test('the mouse moves the view by overview and search, and aligns, copies and moves steps that are framed together', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { mouse } = page;
  const project = await bench.project(muster, { [WORKFLOW]: FLOW });
  const text = () => readFileSync(join(project.path, WORKFLOW), 'utf8');
  const places = () =>
    Object.fromEntries((parse(text()) as Written).steps.map(({ id, position }) => [id, position]));
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}?show=canvas`,
  );
  const canvas = page.getByRole('application', { name: 'Canvas of Mouse' });
  const one = (id: string) => canvas.locator(`[id="canvas-${id}"]`);
  const said = canvas.locator('[data-part="canvas-said"]');
  const tool = (name: string) => canvas.getByRole('button', { name });

  // Found by its name, wherever it is, and one after the other.
  const find = canvas.getByRole('searchbox', { name: 'Find a step' });
  await find.click();
  await page.keyboard.type('arch');
  await expect(one('archive')).toBeInViewport();
  await expect(one('archive')).toContainText('archive');
  await expect(canvas.getByRole('status').filter({ hasText: '1/1' })).toBeVisible();
  await find.fill('command');
  await expect(one('plan')).toBeInViewport();
  await expect(one('archive')).not.toBeInViewport();
  for (let next = 0; next < 3; next += 1) await page.keyboard.press('Enter');
  await expect(one('archive')).toBeInViewport();
  await find.fill('nothing like it');
  await expect(canvas.getByRole('status').filter({ hasText: 'None' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(canvas).toBeFocused();

  // The overview shows all steps; a drag in it moves the view, back to the three.
  const overview = canvas.getByRole('img', { name: 'Overview of the workflow' });
  await expect(overview).toBeVisible();
  await expect(overview.locator('.react-flow__minimap-node')).toHaveCount(4);
  const [map, three] = [
    await boxOf(overview),
    await boxOf(overview.locator('.react-flow__minimap-node').first()),
  ];
  const far = await boxOf(overview.locator('.react-flow__minimap-node').last());
  await mouse.move(far.x + far.width / 2, far.y + far.height / 2);
  await mouse.down();
  await mouse.move(three.x + three.width / 2, three.y + three.height / 2, { steps: 8 });
  await mouse.up();
  await expect(one('plan')).toBeInViewport();
  await expect(one('archive')).not.toBeInViewport();
  expect(await boxOf(overview)).toEqual(map);

  // Framed by a drag over the empty canvas with Shift: the three steps, and not the far one.
  await find.fill('archive');
  await find.fill('build');
  await page.keyboard.press('Escape');
  const [first, last] = [await boxOf(one('plan')), await boxOf(one('ship'))];
  await page.keyboard.down('Shift');
  await mouse.move(first.x - 20, first.y - 20);
  await mouse.down();
  await mouse.move(last.x + last.width + 20, last.y + last.height + 20, { steps: 8 });
  await mouse.up();
  await page.keyboard.up('Shift');
  await expect(canvas.locator('.react-flow__node.selected')).toHaveCount(3);
  expect(await findings(page, 'a canvas with several steps selected')).toEqual([]);
  await tool('Align the selected steps').click();
  await canvas.getByRole('option', { name: 'Left edges' }).click();
  await expect(said).toHaveText('2 steps were moved');
  expect(places()).toEqual({
    plan: { x: 0, y: 0 },
    build: { x: 0, y: 120 },
    ship: { x: 0, y: 240 },
    archive: { x: 3000, y: 1500 },
  });
  expect(text()).toContain('# archive\n');

  // Copied with the cables between them, and the copies moved together by one drag.
  await canvas.focus();
  await page.keyboard.press('Control+c');
  await expect(said).toHaveText('3 steps copied');
  const copied = parse(await muster.app.evaluate(({ clipboard }) => clipboard.readText())) as Written;
  expect(copied.steps.map(({ id }) => id)).toEqual(['plan', 'build', 'ship']);
  expect(copied.cables).toHaveLength(2);
  await page.keyboard.press('Control+v');
  await expect(said).toHaveText('3 steps pasted');
  await expect(one('build_2')).toBeInViewport();
  const before = places();
  await mouse.move((await boxOf(one('build_2'))).x + 60, (await boxOf(one('build_2'))).y + 10);
  await mouse.down();
  await mouse.move((await boxOf(one('build_2'))).x + 260, (await boxOf(one('build_2'))).y + 50, { steps: 8 });
  await mouse.up();
  await expect(said).toHaveText('3 steps were moved');
  const after = places();
  const movedBy = (id: string) => ({
    x: (after[id]?.x ?? 0) - (before[id]?.x ?? 0),
    y: (after[id]?.y ?? 0) - (before[id]?.y ?? 0),
  });
  expect(movedBy('plan_2').x).toBeGreaterThan(0);
  expect([movedBy('build_2'), movedBy('ship_2')]).toEqual([movedBy('plan_2'), movedBy('plan_2')]);
  expect(after.plan).toEqual(before.plan);
});
