/** A review of a change of 40 files at a gate and in a session, with the keys and clicks that it takes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Muster } from '../fixtures/launch';
import { type Bench, canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const show = (muster: Muster, hash: string) =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

const workflow = `name: Review
steps:
  - id: build
    type: step.coding
    config:
      instruction: Build it.
      agents: [{role: builder, acp_profile_id: worker}]
  - id: ok
    type: step.approval
    config: {message: Take it?}
cables:
  - {from: build.diff_out, to: ok.data_in}
`;

const FILES = 40;
const nameOf = (index: number) =>
  `src/part-${Math.floor(index / 10)}/file-${String(index).padStart(2, '0')}.ts`;
const before = (index: number) =>
  `${Array.from({ length: 60 }, (_, line) => `export const line${line + 1} = ${index};`).join('\n')}\n`;
const after = (index: number) => before(index).replace(`line30 = ${index}`, `line30 = changed(${index})`);
const drawing = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16"><rect width="24" height="16" fill="${colour}"/></svg>\n`;
const originals = Object.fromEntries(
  Array.from({ length: FILES }, (_, index) => [nameOf(index), before(index)]),
);
const write = (path: string, content: string) =>
  `    - write: {path: ${path}, content: ${JSON.stringify(content)}}\n`;
const script = `match:
  - when: About these lines
    reply: Mended.
default:
  do:
${Array.from({ length: FILES }, (_, index) => write(nameOf(index), after(index))).join('')}${write('logo.svg', drawing('red'))}  text: Built.
`;

async function atGate(bench: Bench) {
  const muster = await bench.launch();
  const project = await bench.project(muster, {
    ...scripted(workflow, script),
    ...originals,
    'logo.svg': drawing('blue'),
  });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  return { muster, runId, folder: state.workspaces[1]?.path ?? '' };
}

const deskOf = (muster: Muster) => muster.page.getByRole('region', { name: 'Changes', exact: true });
const current = (muster: Muster) => deskOf(muster).locator('[data-part="hunk"][aria-current]');
const reasonOf = async (bench: Bench, { muster, runId }: { muster: Muster; runId: number }) =>
  (await bench.until(muster, runId, ({ state }) => state.gates[1]?.status === 'resolved')).state.gates[1]
    ?.answer?.reason;

test('a change of 40 files is reviewed with two comments by keys alone, at most two for each file', async ({
  bench,
}) => {
  const { muster, runId } = await atGate(bench);
  const { page } = muster;
  await show(muster, `#/gate/${runId}/1`);
  const desk = deskOf(muster);
  await expect(desk).toContainText(`${FILES + 1} files changed`);
  await canDecide(page);
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const comment = async (path: string, text: string) => {
    await press('m');
    await expect(desk.getByRole('textbox', { name: `Comment on ${path}:30` })).toBeFocused();
    await page.keyboard.type(text);
    await press('ControlOrMeta+Enter');
  };
  // The change of each file is seen, and the file marked: its mark opens the next one.
  for (let index = 0; index < FILES; index += 1) {
    await press('n');
    await expect(current(muster)).toHaveAttribute('aria-label', new RegExp(`of ${nameOf(index)}$`));
    if (index === 0 || index === 25) await comment(nameOf(index), `Why ${index}?`);
    await press('v');
    await expect(desk).toContainText(`${index + 1} of ${FILES + 1} viewed`);
  }
  await press('r');
  await expect(page.getByText('with 2 comments on the diff')).toBeVisible();
  await press('ControlOrMeta+Enter');
  const reason = await reasonOf(bench, { muster, runId });
  expect(reason).toContain(`\`${nameOf(0)}:30\``);
  expect(reason).toContain('Why 25?');
  expect(keys).toBeLessThanOrEqual(2 * FILES + 6);
});

test('a change of 40 files is filtered, commented on a line and marked by mouse, and the picture is seen', async ({
  bench,
}) => {
  const { muster, runId } = await atGate(bench);
  const { page } = muster;
  await show(muster, `#/gate/${runId}/1`);
  const desk = deskOf(muster);
  let clicks = 0;
  const click = async (target: ReturnType<typeof desk.locator>) => {
    clicks += 1;
    await target.click();
  };
  const goTo = async (words: string, name: RegExp) => {
    await click(desk.getByRole('searchbox', { name: 'Filter files' }));
    await desk.getByRole('searchbox', { name: 'Filter files' }).fill(words);
    await click(desk.getByRole('treeitem', { name }));
  };
  await goTo('part-3 33', /file-33\.ts/);
  const hunk = desk.getByRole('region', { name: /file-33\.ts/ });
  await hunk.getByText('changed(33)').hover();
  await click(hunk.getByRole('button', { name: 'Comment on line 30' }).last());
  await desk.getByRole('textbox', { name: /file-33\.ts:30/ }).fill('Not this one.');
  await click(desk.getByRole('button', { name: /^Add to the reason/ }));
  await click(desk.getByRole('checkbox', { name: `Viewed ${nameOf(33)}` }).last());
  await expect(desk).toContainText(`1 of ${FILES + 1} viewed`);
  await goTo('logo', /logo\.svg/);
  const image = desk.getByRole('img', { name: 'logo.svg after the change' });
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(24);
  await expect(desk.getByRole('img', { name: 'logo.svg before the change' })).toBeVisible();
  // Unchanged lines around a change are read from the file.
  await goTo('file-05', /file-05\.ts/);
  await expect(desk.getByText('line20 =', { exact: false })).toHaveCount(0);
  await click(desk.getByRole('button', { name: `Show all of ${nameOf(5)}` }).last());
  await expect(desk.getByText('export const line20 = 5;')).toBeVisible();
  await canDecide(page);
  await click(page.getByRole('button', { name: /^Reject/ }));
  await click(page.getByRole('button', { name: /^Reject/ }).last());
  expect(await reasonOf(bench, { muster, runId })).toContain('Not this one.');
  expect(clicks).toBeLessThanOrEqual(12);
});

test('viewed marks outlive a restart and hold in the session, and a file that is edited loses its own', async ({
  bench,
}) => {
  const { muster, runId, folder } = await atGate(bench);
  const desk = deskOf(muster);
  await show(muster, `#/gate/${runId}/1`);
  await expect(desk).toContainText(`0 of ${FILES + 1} viewed`);
  await muster.page.keyboard.press('v');
  await muster.page.keyboard.press('v');
  await expect(desk).toContainText(`2 of ${FILES + 1} viewed`);
  await muster.close();

  const again = await bench.launch();
  await show(again, `#/gate/${runId}/1`);
  await expect(deskOf(again)).toContainText(`2 of ${FILES + 1} viewed`);
  await show(again, `#/session/${runId}/1?show=changes&of=workspace`);
  await expect(deskOf(again)).toContainText(`2 of ${FILES + 1} viewed`);
  // One of the two is taken back, so that its change is another one, and then edited.
  const first = deskOf(again).getByRole('treeitem', { name: /file-00\.ts/ });
  await expect(first.getByLabel('viewed')).toBeVisible();
  await again.call('workspace.reject', {
    ...{ runId, sessionId: 1, turnId: null, path: nameOf(0), hunk: 'file' },
  });
  expect(readFileSync(join(folder, nameOf(0)), 'utf8')).toBe(before(0));
  await deskOf(again).getByRole('button', { name: 'Read the changes again' }).click();
  await expect(deskOf(again)).toContainText(`1 of ${FILES} viewed`);
});

test('what is taken back at a gate is gone in the folder and in the session, and can be put back', async ({
  bench,
}) => {
  const { muster, runId, folder } = await atGate(bench);
  const { page } = muster;
  await show(muster, `#/gate/${runId}/1`);
  const desk = deskOf(muster);
  await expect(desk).toContainText(`${FILES + 1} files changed`);
  await page.keyboard.press('n');
  await page.keyboard.press('Shift+R');
  await expect(desk).toContainText(`${FILES} files changed`);
  expect(readFileSync(join(folder, nameOf(0)), 'utf8')).toBe(before(0));
  await show(muster, `#/session/${runId}/1?show=changes&of=workspace`);
  await expect(desk).toContainText(`${FILES} files changed`);
  await show(muster, `#/gate/${runId}/1`);
  await expect(desk).toContainText('was taken back');
  await page.keyboard.press('Shift+Z');
  await expect(desk).toContainText(`${FILES + 1} files changed`);
  expect(readFileSync(join(folder, nameOf(0)), 'utf8')).toBe(after(0));
});
