import { findings } from '../fixtures/axe';
import { expect, type Part, test } from './part';
import { command, type FileOf, PORTS, port, show } from './workflow';

const COUNT = 500;
/** Rows of 25 steps, each connected with the next. */
const LARGE: FileOf = {
  steps: Array.from({ length: COUNT }, (_, index) =>
    command(`s${index}`, { position: { x: (index % 25) * 300, y: Math.floor(index / 25) * 120 } }),
  ),
  cables: Array.from({ length: COUNT - 1 }, (_, index) => ({
    from: `s${index}.data_out`,
    to: `s${index + 1}.data_in`,
  })),
};

/** Presses a key many times, each once the page has answered the one before; gives where the keys are after each. */
const walk = ({ page }: Part, key: string, times: number) =>
  page.evaluate(
    async ([key, times]) => {
      const seen: (string | null | undefined)[] = [];
      for (let time = 0; time < times; time += 1) {
        const target = document.activeElement ?? document.body;
        target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        // React draws what a key did in a microtask.
        await Promise.resolve();
        const at = document.activeElement;
        const inCanvas = at?.getAttribute('aria-activedescendant');
        seen.push(inCanvas ?? at?.closest('[data-step]')?.getAttribute('data-step'));
      }
      return seen;
    },
    [key, times] as const,
  );

const ids = (prefix: string) => Array.from({ length: COUNT }, (_, index) => `${prefix}s${index}`);

test('the keyboard crosses a canvas of 500 steps, along its cables and from row to row, without accessibility faults', async ({
  part,
}) => {
  const body = await show(part, 'canvas', LARGE);
  const canvas = body.getByRole('application', { name: 'Canvas of Big' });
  await canvas.focus();
  expect(await walk(part, 'ArrowRight', 25)).toEqual(ids('canvas-').slice(0, 25));
  const rows = await walk(part, 'ArrowDown', 19);
  expect(rows).toEqual(rows.map((_, row) => `canvas-s${25 * row + 49}`));
  expect(await walk(part, 'ArrowLeft', 24)).toEqual(ids('canvas-').slice(475, 499).reverse());
  await expect(canvas.locator('[id="canvas-s475"]')).toBeInViewport();
  await part.page.keyboard.press('.');
  await expect(body.locator('[data-part="canvas-said"]')).toContainText('Cable from s474');
  expect(await findings(part.page, 'a canvas of 500 steps', 'main')).toEqual([]);
});

test('the keyboard walks all 500 steps of a file in the list, and each has the acts of the canvas', async ({
  part,
}) => {
  const body = await show(part, 'list', LARGE);
  await expect(body.getByRole('button', { name: 'Change s499' })).toBeAttached();
  await body.getByRole('button', { name: 'Change s0' }).focus();
  expect(await walk(part, 'ArrowDown', COUNT - 1)).toEqual(ids('').slice(1));
  expect(await walk(part, 'ArrowLeft', 3)).toEqual(['s498', 's497', 's496']);
  await part.page.keyboard.press('Enter');
  const menu = body.getByRole('menu', { name: 'Change s496' });
  await expect(menu.getByRole('menuitem')).toHaveText([
    ...[
      /^Open its panel/,
      /^Add a step after it/,
      /^Connect to another step/,
      /^Show its outputs/,
      /^Rename/,
    ],
    ...[/^Move on the canvas/, /^Duplicate/, /^Switch off/, /^Copy as YAML/, /^Select/, /^Remove/],
  ]);
  await part.page.keyboard.press('3');
  const chooser = body.getByRole('region', { name: 'Connect s496 to' });
  await expect(chooser.getByRole('option').first()).toContainText('Output to');
  await part.page.keyboard.press('Escape');
  await expect(body.getByRole('button', { name: 'Change s496' })).toBeFocused();
});

const NAME = 'A name of two hundred characters that goes on '.repeat(5).slice(0, 200);
const HEBREW = 'בדוק את הגרסה לפני הפרסום';
const OUTPUTS = Array.from({ length: 300 }, (_, index) =>
  port(`response_${index + 1}`, `Response ${index + 1}`),
);
const ODD: FileOf = {
  steps: [
    command('long', { title: NAME, position: { x: 0, y: 0 } }),
    command('many', { title: HEBREW, position: { x: 300, y: 0 } }),
    command('last', { position: { x: 600, y: 0 } }),
  ],
  cables: [{ from: 'many.response_300', to: 'last.data_in' }],
  ports: { many: { inputs: PORTS.inputs, outputs: OUTPUTS } },
};

test('names of 200 characters, right-to-left text and 300 ports stay inside their steps, also in a narrow window', async ({
  part,
}) => {
  const body = await show(part, 'canvas', ODD);
  const step = (id: string) => body.locator(`[id="canvas-${id}"]`);
  await expect(step('long')).toContainText(NAME.trim());
  for (const id of ['long', 'many']) {
    const wide = await step(id).evaluate((one) => {
      const box = one.getBoundingClientRect();
      const name = one.querySelector('[title]')?.getBoundingClientRect();
      return name !== undefined && name.left >= box.left && name.right <= box.right;
    });
    expect([id, wide]).toEqual([id, true]);
  }
  // Few of the ports are drawn, among them the one with a cable; the list has all of them.
  await expect(step('many').locator('.react-flow__handle')).toHaveCount(6);
  await expect(step('many').locator('[data-handleid="response_300"]')).toBeAttached();
  await step('many').click();
  await part.page.keyboard.press('c');
  const outputs = body.getByRole('region', { name: `Outputs of ${HEBREW}` });
  await part.page.keyboard.type('response 299');
  await expect(outputs.getByRole('option')).toHaveCount(1);
  await part.page.keyboard.press('Enter');
  await expect(body.getByRole('region', { name: `Connect ${HEBREW} to` }).getByRole('option')).toHaveCount(2);
  expect(await findings(part.page, 'ports to choose from', 'main')).toEqual([]);
  await part.page.keyboard.press('Escape');

  const list = await show(part, 'list', ODD);
  await expect(list.getByRole('region', { name: HEBREW })).toBeVisible();
  await part.page.setViewportSize({ width: 420, height: 700 });
  const over = await part.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over).toBeLessThanOrEqual(0);
  await expect(list.getByRole('button', { name: 'Change last' })).toBeInViewport();
  const long = list.getByRole('button', { name: `Change ${NAME}` });
  await expect(long).toBeInViewport();
  expect(await findings(part.page, 'a narrow list', 'main')).toEqual([]);
});

test('the settings of a workflow have a form of its own keys, and its inputs are a map', async ({ part }) => {
  const inputs = { target: { type: 'string', default: 'main' }, count: { type: 'number' } };
  const body = await show(part, 'settings', { ...ODD, more: { inputs, returns: 'last' }, odd: { extra: 1 } });
  const panel = body.getByRole('region', { name: 'Settings of the workflow' });
  await expect(panel.getByLabel('Name (required)', { exact: true })).toHaveValue('Big');
  await expect(panel.getByLabel('Working folder')).toHaveValue('worktree');
  await expect(panel.getByLabel('Step with the result')).toHaveValue('last');
  const map = panel.getByRole('region', { name: 'Inputs', exact: true });
  await expect(map.getByRole('listitem')).toHaveCount(2);
  const target = map.getByRole('listitem', { name: 'target' });
  await expect(target.getByLabel('Type', { exact: true })).toHaveValue('string');
  await expect(target.getByRole('textbox', { name: 'Text' })).toHaveValue('main');
  const name = map.getByRole('textbox', { name: 'New name in inputs' });
  await name.fill('1st');
  await expect(map.getByRole('button', { name: 'Add' })).toBeDisabled();
  await name.fill('first');
  await expect(map.getByRole('button', { name: 'Add' })).toBeEnabled();
  await expect(panel).toContainText('unchanged: extra');
  expect(await findings(part.page, 'the settings of a workflow', 'main')).toEqual([]);
});

test('files that are dropped on a prompt are attached, and those from elsewhere copied in only after a question', async ({
  part,
}) => {
  const config = { re_prompts: [{ text: 'Again.', attachments: ['docs/known.md'] }] };
  const body = await show(part, 'step', { steps: [{ id: 'plan', type: 'step.agent_task', config }] });
  const entry = body.getByRole('listitem', { name: 'Re-prompt 1' });
  await expect(entry).toContainText('known.md');
  const drop = (paths: readonly string[]) =>
    entry.getByRole('button', { name: /^Attach files/ }).evaluate((button, names) => {
      const data = new DataTransfer();
      for (const name of names) data.items.add(new File(['x'], name));
      button.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, paths);
  // A part that is shared has the calls of tests before.
  const earlier = (await part.called('workflow.edit')).length;
  const attached = async () =>
    (await part.called('workflow.edit'))
      .slice(earlier)
      .map((input) => (input as { edits: { value: unknown }[] }).edits.at(-1)?.value);
  await drop(['/work/p/docs/new.md']);
  await expect.poll(attached).toEqual([['docs/known.md', 'docs/new.md']]);
  // Of files from both, those of the project are written before the question about the others is asked.
  const letGo = await part.hold('workflow.edit');
  const edits = (await attached()).length;
  await drop(['/work/p/docs/second.md', '/elsewhere/notes.md']);
  const question = part.page.getByRole('dialog', { name: 'Copy the file into the project?' });
  await expect.poll(async () => (await attached()).length).toBe(edits + 1);
  await expect(question).toHaveCount(0);
  await letGo();
  await expect(question).toContainText('/elsewhere/notes.md');
  expect(await findings(part.page, 'a question about a file', 'dialog')).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await part.called('workflow.attach')).toEqual([]);
  await drop(['/elsewhere/notes.md']);
  await question.getByRole('button', { name: 'Copy and attach' }).click();
  await expect
    .poll(() => part.called('workflow.attach'))
    .toEqual([{ projectId: 1, path: '/elsewhere/notes.md' }]);
  await expect
    .poll(async () => (await attached()).at(-1))
    .toEqual(['docs/known.md', '.muster/attachments/notes.md']);
});

test('while a cable is drawn the ports that fit are lit, and the others say why they do not', async ({
  part,
}) => {
  const body = await show(part, 'canvas', ODD);
  const port = (id: string, name: string) =>
    body.locator(`.react-flow__handle[data-nodeid="${id}"][data-handleid="${name}"]`);
  const middle = async (id: string, name: string) => {
    const box = await port(id, name).boundingBox();
    if (box === null) throw new Error(`The port ${name} of ${id} is not in sight`);
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };
  const { mouse } = part.page;
  await mouse.move(...(await middle('many', 'response_300')));
  await mouse.down();
  await mouse.move(...(await middle('last', 'data_in')), { steps: 5 });
  await expect(port('long', 'data_in')).toHaveAttribute('data-lit', 'yes');
  await expect(port('last', 'data_in')).toHaveAttribute('data-lit', 'no');
  await expect(port('last', 'data_in')).toContainText('This cable already exists');
  await mouse.up();
  await expect(body.locator('[data-part="canvas-said"]')).toHaveText('This cable already exists');
});
