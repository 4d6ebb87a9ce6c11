import { findings } from '../fixtures/axe';
import { expect, test } from './part';
import { command, type FileOf, show } from './workflow';

const FILE: FileOf = {
  steps: [
    command('first', { position: { x: 0, y: 0 } }),
    command('idle', { disabled: true, position: { x: 280, y: 0 } }),
    command('last', { position: { x: 560, y: 0 } }),
  ],
  cables: [
    { from: 'first.data_out', to: 'idle.data_in' },
    { from: 'idle.data_out', to: 'last.data_in' },
  ],
};

const OFF = { kind: 'value.set', path: ['disabled'], value: true };

/** The contrast of two colours as the browser computes them. */
const CONTRAST = `(one, other) => {
  const light = (colour) => {
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}`;

for (const colorScheme of ['light', 'dark'] as const)
  test(`a step that is switched off says so in words, and its dashed outline can be seen on a ${colorScheme} canvas`, async ({
    part,
  }) => {
    await part.page.emulateMedia({ colorScheme });
    const body = await show(part, 'canvas', FILE);
    const idle = body.locator('[id="canvas-idle"]');
    await expect(idle).toContainText('Off');
    await expect(idle).toHaveAccessibleName(/Switched off/);
    await expect(body.locator('[id="canvas-first"]')).not.toContainText('Off');
    // Only what would leave the step is stopped: what leads to it arrives.
    await expect(body.locator('[data-part="canvas-cable"][data-state="missed"]')).toHaveCount(1);
    await expect(body.locator('[data-part="cable-stop"]')).toHaveCount(1);
    const look = await idle.locator('[data-part="canvas-step"]').evaluate((one, contrast) => {
      const { borderTopStyle, borderTopColor } = getComputedStyle(one);
      let around: Element | null = one.parentElement;
      const ground = (element: Element) => getComputedStyle(element).backgroundColor;
      while (around !== null && /, 0\)|\/ 0\)|transparent/.test(ground(around)))
        around = around.parentElement;
      const of = new Function(`return ${contrast}`)();
      return [borderTopStyle, of(borderTopColor, ground(around ?? document.body)) >= 3];
    }, CONTRAST);
    expect(look).toEqual(['dashed', true]);
    expect(await findings(part.page, 'a step that is switched off', 'main')).toEqual([]);
  });

test('a key switches the selected steps off or on, as one edit that is announced', async ({ part }) => {
  const body = await show(part, 'canvas', FILE);
  const said = body.locator('[data-part="canvas-said"]');
  const edits = async () =>
    (await part.called('workflow.edit')).map((input) => (input as { edits: unknown[] }).edits);
  await body.locator('[id="canvas-first"]').click();
  await part.page.keyboard.press('d');
  await expect(said).toHaveText('first is switched off');
  expect(await edits()).toEqual([[{ ...OFF, step: ['first'] }]]);
  await body.locator('[id="canvas-idle"]').click();
  await part.page.keyboard.press('d');
  await expect(said).toHaveText('idle is switched on');
  expect((await edits()).at(-1)).toEqual([{ kind: 'value.unset', step: ['idle'], path: ['disabled'] }]);
});

test('the panel of a step and its menu in the list switch it off', async ({ part }) => {
  const panel = await show(part, 'step', FILE);
  await panel.getByRole('button', { name: 'Switch off' }).click();
  await expect
    .poll(async () => (await part.called('workflow.edit')).at(-1))
    .toMatchObject({ edits: [{ ...OFF, step: ['first'] }] });
  const list = await show(part, 'list', FILE);
  await list.getByRole('button', { name: 'Change idle' }).click();
  await expect(list.getByRole('menuitem', { name: /^Switch on/ })).toBeVisible();
});
