import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeProject } from '../fixtures/project';
import { expect, test } from '../fixtures/test';

const EVENTS = 100_000;

test('a run of 100,000 events is drawn on its canvas, scrubbed and played, and the window answers meanwhile', async ({
  bench,
}) => {
  const program = join(import.meta.dirname, '../fixtures/long-run/index.mjs');
  const project = makeProject({});
  const made = execFileSync(
    process.execPath,
    [program, join(bench.dataDir, 'muster.db'), project, String(EVENTS)],
    { encoding: 'utf8' },
  );
  const last = Number(made.trim().split('\n').at(-1));
  expect(last).toBeGreaterThanOrEqual(EVENTS);
  const { page } = await bench.launch();
  await page.evaluate(() => {
    location.hash = '#/run/long?show=canvas';
  });
  // A run is named after its instruction.
  const canvas = page.getByRole('application', { name: 'Canvas of the run go' });
  const step = (id: string) => canvas.getByRole('group', { name: new RegExp(`^${id},`) });
  await expect(step('step-1')).toContainText('Succeeded');
  await expect(canvas.locator('.react-flow__minimap-node')).toHaveCount(20);

  await page.keyboard.press('h');
  const scrubber = page.getByRole('region', { name: 'Replay' });
  const slider = scrubber.getByRole('slider');
  await expect(slider).toHaveAttribute('aria-valuemax', String(last));
  const seq = async () => Number(await slider.getAttribute('aria-valuenow'));
  // Scrubbed by mouse: to a moment early in the run, and on to a later one.
  const box = await slider.boundingBox();
  if (box === null) throw new Error('the slider is not on screen');
  const at = (part: number) => [box.x + part * box.width, box.y + box.height / 2] as const;
  await page.mouse.move(...at(0.02));
  await page.mouse.down();
  await expect.poll(seq).toBeLessThan(last / 10);
  await expect(step('step-1')).toContainText('Running');
  await expect(step('step-2')).toContainText('Not started');
  // The view follows the run to the step that works, and back.
  await page.mouse.move(...at(0.63), { steps: 20 });
  await expect(step('step-13')).toContainText('Running');
  await expect(step('step-13')).toBeInViewport();
  await page.mouse.move(...at(0.13), { steps: 20 });
  await page.mouse.up();
  await expect.poll(seq).toBeGreaterThan(last / 10);
  // How far back the view went depends on the moments that the mouse passed; neighbours are in sight.
  await expect(step('step-2')).toContainText('Succeeded');
  await expect(step('step-3')).toContainText('Running');
  await expect(step('step-3')).toBeInViewport();

  // Played at full speed; meanwhile a step is chosen, found and shown.
  const before = await seq();
  await scrubber.getByLabel('Speed').selectOption('100x');
  await scrubber.getByRole('button', { name: 'Play' }).click();
  await expect.poll(seq).toBeGreaterThan(before);
  const find = canvas.getByRole('searchbox', { name: 'Find a step' });
  await find.fill('step-1');
  await step('step-1').click();
  await expect(page.getByRole('complementary', { name: 'Step' })).toContainText('step-1');
  await find.fill('step-20');
  await expect(step('step-20')).toBeInViewport();
  await expect(step('step-20')).toContainText('Not started');
  await scrubber.getByRole('button', { name: 'Pause' }).click();
  const stopped = await seq();
  expect(stopped).toBeGreaterThan(before);
  await expect(scrubber.getByRole('button', { name: 'Play' })).toBeVisible();
  expect(await seq()).toBe(stopped);

  // The address holds the moment, and a reload shows it again.
  await expect(page).toHaveURL(new RegExp(`at=${stopped}(&|$)`));
  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuenow', String(stopped));
  await expect(step('step-20')).toContainText('Not started');
  await scrubber.getByRole('button', { name: 'Return to now' }).click();
  await expect(step('step-20')).toContainText('Succeeded');
});
