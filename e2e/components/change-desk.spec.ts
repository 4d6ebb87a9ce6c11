import { findingsOfThemes } from '../fixtures/axe';
import { expect, type Part, test } from './part';

let runs = 4_000;

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const hunk = (id: string, at: number, lines: readonly string[]) => ({
  id,
  oldStart: at,
  oldLines: lines.filter((line) => !line.startsWith('+')).length,
  newStart: at,
  newLines: lines.filter((line) => !line.startsWith('-')).length,
  lines,
});
const file = (path: string, more: object = {}) => ({
  path,
  oldPath: null,
  status: 'modified',
  added: 2,
  removed: 1,
  leftOut: null,
  content: `content of ${path}`,
  hunks: [
    hunk(`${path}-1`, 10, [
      ' export function greet(name: string): string {',
      '-  const words = hello(name);',
      '+  const words = goodbye(name);',
      '+  // Said once.',
      '   return words;',
      ' }',
    ]),
  ],
  ...more,
});

const FILES = [
  file('src/greet/greet.ts'),
  file('src/greet/words.ts', {
    hunks: [hunk('w1', 1, ['-old', '+new', ' same']), hunk('w2', 40, [' before', '+added', ' after'])],
  }),
  file('src/main.ts', { status: 'added', removed: 0, hunks: [hunk('m1', 1, ['+one', '+two'])] }),
  file('logo.png', { leftOut: 'binary', added: null, removed: null, hunks: [] }),
  file('package-lock.json', { leftOut: 'large', added: 6_002, removed: 12, hunks: [] }),
];
const diff = {
  files: FILES,
  shown: 'a..b',
  live: false,
  path: '/w',
  branch: 'muster/greet',
  file: null,
  notes: [],
  unread: null,
  edits: { sessionId: 1, turnId: null },
};
const TEXT = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n');
const side = (more: object) => ({ bytes: 1_200, text: null, image: null, leftOut: null, ...more });

/** The desk of a new run. */
async function open(part: Part, more: object = {}, answers: Record<string, unknown> = {}) {
  runs += 1;
  await part.answer({
    'workspace.diff': { ...diff, ...more },
    'workspace.marks': { viewed: [], hunks: {} },
    'workspace.file': { old: null, fresh: side({ text: TEXT }) },
    'workspace.view': {},
    'workspace.accept': {},
    'workspace.reject': { undo: 'u1' },
    'workspace.undo': { undo: 'u2' },
    'settings.set': {},
    ...answers,
  });
  await part.mount('changes', { runId: runs, reviewed: true });
  const desk = part.page.getByRole('region', { name: 'Changes', exact: true });
  await expect(desk).toBeVisible();
  return { desk, runId: runs };
}

const sent = async (part: Part, name: string, runId: number) =>
  (await part.called(name)).filter((one) => (one as { runId: number }).runId === runId);

test('all files of a change are in a tree with folders and counts, and a filter finds them by words', async ({
  part,
}) => {
  const { desk } = await open(part);
  await expect(desk.locator('header').first()).toContainText('5 files changed');
  const tree = desk.getByRole('tree', { name: 'Changed files' });
  await expect(tree.getByRole('treeitem')).toHaveText([
    /src/,
    /greet/,
    /greet\.ts/,
    /words\.ts/,
    /main\.ts/,
    /logo/,
    /lock/,
  ]);
  await expect(tree.getByRole('treeitem', { name: /package-lock/ })).toContainText('+6002 −12');
  await desk.getByRole('searchbox', { name: 'Filter files' }).fill('WORDS greet');
  await expect(tree.getByRole('treeitem')).toHaveText([/src\/greet/, /words\.ts/]);
  await expect(desk.getByText('package-lock.json')).toHaveCount(0);
  await desk.getByRole('searchbox', { name: 'Filter files' }).fill('none such');
  await expect(desk).toContainText('No file has this in its path.');
});

test('the keys go from change to change and from file to file, and mark files as viewed', async ({
  part,
}) => {
  const { desk, runId } = await open(part);
  const { keyboard } = part.page;
  const current = desk.locator('[data-part="hunk"][aria-current]');
  await keyboard.press('n');
  await expect(current).toHaveAttribute('aria-label', /Hunk at line 10 of src\/greet\/greet\.ts/);
  await keyboard.press('n');
  await expect(current).toHaveAttribute('aria-label', /Hunk at line 1 of src\/greet\/words\.ts/);
  await keyboard.press('p');
  await expect(current).toHaveAttribute('aria-label', /greet\.ts/);
  await keyboard.press(']');
  await expect(desk.locator('header[aria-current]')).toContainText('words.ts');
  await keyboard.press('[');
  await expect(desk.locator('header[aria-current]')).toContainText('greet.ts');
  await part.answer({ 'workspace.marks': { viewed: ['content of src/greet/greet.ts'], hunks: {} } });
  await keyboard.press('v');
  await expect(desk).toContainText('1 of 5 viewed');
  await expect(desk.getByRole('checkbox', { name: 'Viewed src/greet/greet.ts' })).toBeChecked();
  await expect(desk.getByRole('region', { name: /of src\/greet\/greet\.ts/ })).toHaveCount(0);
  await expect(desk.locator('header[aria-current]')).toContainText('words.ts');
  expect(await sent(part, 'workspace.view', runId)).toEqual([
    { runId, files: ['content of src/greet/greet.ts'], viewed: true },
  ]);
});

test('lines are in one column or old beside new, with the words that changed', async ({ part }) => {
  const { desk } = await open(part);
  await expect(desk.locator('.removed .diff-changed').first()).toHaveText('hello');
  await expect(desk.locator('.added .diff-changed').first()).toHaveText('goodbye');
  const numbers = desk.locator('.diff-line.same').first().locator('.diff-number');
  await expect(numbers).toHaveCount(2);
  await part.answer({ 'settings.set': { diffLayout: 'split', keys: {} } });
  await desk.getByRole('button', { name: 'Show old beside new' }).click();
  await expect.poll(() => part.called('settings.set')).toContainEqual({ settings: { diffLayout: 'split' } });
  await expect(numbers).toHaveCount(1);
  await part.answer({ 'settings.set': { diffLayout: 'unified', keys: {} } });
  await desk.getByRole('button', { name: 'Show the lines in one column' }).click();
  await expect(numbers).toHaveCount(2);
});

test('hidden lines unfold at an edge, between two changes, and as the whole file', async ({ part }) => {
  const { desk } = await open(part);
  await desk.getByRole('button', { name: 'Show 20 lines before line 40' }).click();
  await expect(desk.getByText('line 39', { exact: true })).toBeVisible();
  await expect(desk.getByText('line 20', { exact: true })).toBeVisible();
  await expect(desk.getByText('line 19', { exact: true })).toHaveCount(0);
  await desk.getByRole('button', { name: 'Show all of src/greet/words.ts' }).click();
  await expect(desk.getByText('line 19', { exact: true })).toBeVisible();
  await desk.getByRole('button', { name: 'Show only the changes of src/greet/words.ts' }).click();
  await expect(desk.getByText('line 19', { exact: true })).toHaveCount(0);
});

test('a picture is shown before and after, as data that comes with the answer', async ({ part }) => {
  const image = (data: string) => side({ image: { type: 'image/png', data } });
  const { desk } = await open(part, {}, { 'workspace.file': { old: image(PIXEL), fresh: image(PIXEL) } });
  await desk.getByRole('treeitem', { name: /logo\.png/ }).click();
  const before = desk.getByRole('img', { name: 'logo.png before the change' });
  await expect(before).toBeVisible();
  expect(await before.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1);
  await expect(desk.getByRole('img', { name: 'logo.png after the change' })).toBeVisible();
  await expect(desk).toContainText('1 × 1');
});

test('a comment is written on any line by mouse, or on a change by key, and kept with Ctrl+Enter', async ({
  part,
}) => {
  const { desk } = await open(part);
  await desk.getByRole('button', { name: 'Comment on line 12' }).first().click();
  const first = desk.getByRole('textbox', { name: 'Comment on src/greet/greet.ts:12' });
  await first.fill('Why?');
  await first.press('ControlOrMeta+Enter');
  await expect(desk.locator('[data-part="comment-card"]')).toContainText('Why?');
  await part.page.keyboard.press('n');
  await part.page.keyboard.press('m');
  await expect(desk.getByRole('textbox', { name: 'Comment on src/greet/words.ts:1' })).toBeFocused();
  await part.page.keyboard.type('Say what for.');
  await part.page.keyboard.press('ControlOrMeta+Enter');
  await expect(desk.locator('[data-part="comment-card"]')).toHaveCount(2);
  await expect(desk.getByRole('treeitem', { name: /words\.ts/ }).getByLabel('1 comments')).toBeVisible();
});

test('a change is kept or taken back by hunk and by file, and put back', async ({ part }) => {
  const { desk, runId } = await open(part);
  const hunk = desk.getByRole('region', { name: /of src\/greet\/greet\.ts/ });
  await hunk.getByRole('button', { name: /^Keep/ }).click();
  const place = { runId, sessionId: 1, turnId: null, path: 'src/greet/greet.ts' };
  const id = 'src/greet/greet.ts-1';
  await expect
    .poll(() => sent(part, 'workspace.accept', runId))
    .toEqual([{ ...place, hunk: id, accepted: true }]);
  await part.answer({ 'workspace.diff': { ...diff, files: FILES.slice(1) } });
  await part.page.keyboard.press('Shift+R');
  await expect(desk).toContainText('A hunk of src/greet/greet.ts was taken back.');
  await part.answer({ 'workspace.diff': diff });
  await part.page.keyboard.press('Shift+Z');
  await expect(hunk).toBeVisible();
  await desk.getByRole('button', { name: 'Take back src/greet/words.ts' }).click();
  await expect
    .poll(() => sent(part, 'workspace.reject', runId))
    .toEqual([
      { ...place, hunk: id },
      { ...place, path: 'src/greet/words.ts', hunk: 'file' },
    ]);
});

test('without a folder that can be edited nothing can be taken back', async ({ part }) => {
  const { desk } = await open(part, { edits: null });
  await expect(desk.getByRole('region', { name: /of src\/greet\/greet\.ts/ })).toBeVisible();
  await expect(desk.getByRole('button', { name: /^(Take back|Keep)/ })).toHaveCount(0);
});

test('a text is searched in the whole change, and the matches are gone through by key', async ({ part }) => {
  const { desk } = await open(part);
  const match = (path: string, line: number, hunk: string) => ({ path, kind: 'added', line, hunk });
  await part.answer({
    'workspace.search': {
      matches: [match('src/greet/words.ts', 41, 'w2'), match('src/main.ts', 1, 'm1')],
      total: 2,
      files: [],
    },
  });
  await part.page.keyboard.press('ControlOrMeta+f');
  const field = desk.getByRole('searchbox', { name: 'Find in the changes' });
  await expect(field).toBeFocused();
  await field.fill('added');
  await expect(desk.getByRole('status')).toHaveText('1 of 2');
  await expect(desk.locator('.diff-found')).toHaveText('added');
  await expect(desk.getByRole('region', { name: /Hunk at line 40/ })).toHaveAttribute(
    'aria-current',
    'location',
  );
  await field.press('Enter');
  await expect(desk.getByRole('status')).toHaveText('2 of 2');
  await field.press('Escape');
  await expect(field).toHaveCount(0);
});

test('the desk is free of accessibility faults in both themes, in one column and old beside new', async ({
  part,
}) => {
  const { desk } = await open(part);
  await part.page.keyboard.press('n');
  await part.page.keyboard.press('m');
  await part.page.keyboard.type('Why?');
  await desk.getByRole('button', { name: 'Find in the changes' }).click();
  await expect(desk.locator('.added .diff-changed').first()).toBeVisible();
  expect(await findingsOfThemes(part.page, 'the desk', 'main')).toEqual([]);
  await desk.getByRole('button', { name: /old beside new|in one column/ }).click();
  expect(await findingsOfThemes(part.page, 'the other layout', 'main')).toEqual([]);
});
