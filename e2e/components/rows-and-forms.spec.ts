import { keyText } from '@contract/run/keys';
import { findingsOfThemes } from '../fixtures/axe';
import { expect, type Part, test } from './part';

/** Text from an agent that would break a line, a list or the direction of reading. */
const HOSTILE = `\u001b[31mred\u001b[0m <img src=x> \u202eevil\u202c ${'wide '.repeat(400)}`;

// A colour on its way to another has the contrast of neither.
test.beforeEach(({ part }) => part.page.emulateMedia({ reducedMotion: 'reduce' }));

const gate = (gateId: number, more: object = {}) => ({
  runId: 1,
  runName: 'Release notes',
  gateId,
  kind: 'approval',
  status: 'open',
  stepId: 'check',
  stepTitle: 'Check',
  agent: null,
  sessionId: null,
  title: `Question ${gateId}`,
  message: '',
  evidence: null,
  request: null,
  options: [],
  why: null,
  openedAt: 1,
  closedAt: null,
  answer: null,
  by: null,
  snoozedUntil: null,
  ...more,
});

const rows = (part: Part, gates: readonly object[], besides: object = {}) =>
  part.mount('attention-rows', {
    gates,
    now: 10,
    replies: [],
    failures: [],
    pulls: [],
    waits: [],
    ...besides,
  });

const run = { runId: 2, runName: 'Nightly', projectName: 'Web' };
const besides = {
  replies: [
    { ...run, activationId: 1, member: 'ana', round: 2, since: 1, lastWords: HOSTILE },
    { ...run, activationId: 2, member: null, round: 0, since: 1, lastWords: null },
  ],
  failures: [{ ...run, at: 2, reason: HOSTILE }],
  pulls: [
    { ...run, key: 'a', kind: 'check_failed', number: 7, url: null, title: HOSTILE, what: HOSTILE, at: 3 },
    {
      ...run,
      key: 'b',
      kind: 'approved',
      number: 8,
      url: null,
      title: 'Till',
      what: 'cem approved it.',
      at: 3,
    },
  ],
  waits: [{ ...run, at: 4_102_444_800_000, what: 'the limit of the provider' }],
};

test('each kind of row of the attention list says what it is, without accessibility faults in both themes', async ({
  part,
}) => {
  const kinds = ['permission', 'merge', 'login', 'interrupted_turn'];
  const gates = kinds.map((kind, index) => gate(index + 1, { kind, cause: `cause ${kind}` }));
  const body = await rows(part, [...gates, gate(9, { snoozedUntil: 4_102_444_800_000 })], besides);
  const options = body.getByRole('option');
  await expect(options).toHaveCount(11);
  await expect(options.filter({ hasText: '#8: cem approved it.' })).toHaveCount(1);
  await expect(options.filter({ hasText: 'ana, round 2' })).toHaveCount(1);
  await expect(options.filter({ hasText: 'Nightly is idle' })).toHaveCount(1);
  for (const heading of ['Decide', 'Reply', 'Failed', 'Pull requests', 'Waiting by itself', 'Snoozed'])
    await expect(body.getByText(heading, { exact: false }).first()).toBeVisible();
  expect(await findingsOfThemes(part.page, 'the attention list', 'main')).toEqual([]);
});

test('one row with values that cannot be drawn says so, opens as text, and leaves its list as it is', async ({
  part,
}) => {
  const body = await rows(part, [gate(1), gate(2, { title: null, openedAt: 9007199254740991 }), gate(3)]);
  const options = body.getByRole('option');
  await expect(options).toHaveCount(3);
  await expect(options.filter({ hasText: 'Question 3' })).toBeVisible();
  const broken = options.filter({ hasText: 'This entry cannot be shown' });
  await broken.getByRole('button', { name: 'Show as text' }).click();
  await expect(part.page.getByRole('dialog', { name: 'Entry as text' })).toContainText('9007199254740991');
  await part.page.keyboard.press('Escape');
});

test('a row keeps its height and its own text, whatever an agent wrote', async ({ part }) => {
  const body = await rows(part, [gate(1), gate(2, { title: HOSTILE })], besides);
  const heights = await body
    .getByRole('option')
    .evaluateAll((found) => found.map((row) => Math.round(row.getBoundingClientRect().height)));
  expect(new Set(heights).size).toBe(1);
  const list = body.getByRole('listbox', { name: 'Waiting gates' });
  expect(await list.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await expect(body.locator('img')).toHaveCount(0);
  await expect(list).not.toContainText('\u202e');
});

test('arrows move through the rows and pass over headings', async ({ part }) => {
  const body = await rows(part, [gate(1)], besides);
  const list = body.getByRole('listbox', { name: 'Waiting gates' });
  await list.focus();
  const chosen = body.getByRole('option', { selected: true });
  await part.page.keyboard.press('ArrowDown');
  await expect(chosen).toContainText('Question 1');
  await part.page.keyboard.press('ArrowDown');
  await expect(chosen).toContainText('ana, round 2');
});

test('a chart describes its bars in words, and distinguishes unknown amounts from none', async ({ part }) => {
  const days = [
    { day: '2026-11-21', value: 1.5 },
    { day: '2026-11-22', value: null },
    { day: '2026-11-23', value: 4 },
  ];
  const body = await part.mount('chart', { days });
  const chart = body.getByRole('img', {
    name: /The highest is \$4.00 on Mon, Nov 23; not reported on 1 day/,
  });
  await expect(chart).toBeVisible();
  const drawn = () =>
    chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return pixels.some((value) => value > 0);
    });
  await expect.poll(drawn).toBe(true);
  // The chart gets its width after it is mounted, and takes no notice of a pointer before.
  await expect(async () => {
    const box = await chart.boundingBox();
    if (box === null) throw new Error('the chart has no place');
    const y = box.y + box.height / 2;
    await part.page.mouse.move(box.x + box.width / 2, y);
    await part.page.mouse.move(box.x + box.width - 40, y, { steps: 4 });
    await expect(body.locator('figcaption')).toContainText('Nov 23, 2026: $4.00', { timeout: 500 });
  }).toPass();
  expect(await findingsOfThemes(part.page, 'a chart', 'main')).toEqual([]);
});

const schema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string' },
    rounds: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    read_only: { type: 'boolean', default: false },
    workspace: { type: 'string', enum: ['worktree', 'project'], default: 'worktree' },
    mode: { type: 'string', enum: ['plan', 'act'] },
    patterns: { type: 'array', items: { type: 'string' }, default: ['npm test', 'vitest'], maxItems: 1 },
    limits: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { type: 'string', enum: ['soft', 'hard'] },
        minutes: { type: 'number', maximum: 60 },
      },
    },
    members: {
      type: 'array',
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
    env: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

test('the form of a step writes what is entered, keeps what it does not know, and shows problems at their field', async ({
  part,
}) => {
  const problems = [
    {
      code: 'validation.step',
      severity: 'error',
      message: 'This is no greeting.',
      where: { path: 'config.message' },
    },
  ];
  const config = { message: 'Hello', members: [{ name: 'ana' }], later: 7 };
  const body = await part.mount('step-form', { schema, config, problems });
  const written = body.locator('[data-part="written"]');
  const message = body.getByRole('textbox', { name: /^Message/ });
  await expect(message).toHaveAccessibleDescription(/This is no greeting/);
  await body.getByRole('spinbutton', { name: 'Rounds' }).fill('5');
  await body.getByRole('checkbox', { name: 'Read only' }).check();
  await body.getByRole('combobox', { name: 'Workspace' }).selectOption('project');
  await body.getByRole('button', { name: 'Add member' }).click();
  await expect(body.getByRole('listitem')).toHaveCount(2);
  await expect(written).toHaveText(
    JSON.stringify({
      message: 'Hello',
      members: [{ name: 'ana' }, { name: '' }],
      later: 7,
      rounds: 5,
      read_only: true,
      workspace: 'project',
    }),
  );
  await expect(body.getByText('unchanged: later')).toBeVisible();

  // Each choice stands once: a default is marked and needs no key, and what has none begins with no choice.
  const options = (name: string) => body.getByRole('combobox', { name }).getByRole('option');
  await expect(options('Workspace')).toHaveText(['Worktree (default)', 'Project']);
  await expect(options('Mode')).toHaveText(['Not set', 'Plan', 'Act']);
  await body.getByRole('combobox', { name: 'Workspace' }).selectOption('Worktree (default)');
  await expect(written).not.toContainText('workspace');
  await expect(body.getByRole('combobox', { name: 'Workspace' })).toHaveValue('worktree');
  // What a list holds by default, its limit, and what a nested object must have.
  const patterns = body.getByRole('region', { name: 'Patterns' });
  await expect(patterns).toContainText('If empty: npm test, vitest.');
  await patterns.getByRole('button', { name: 'Add pattern' }).click();
  await expect(patterns).not.toContainText('If empty');
  await expect(patterns.getByRole('button', { name: 'Add pattern' })).toBeDisabled();
  await body.getByRole('button', { name: 'Limits' }).click();
  await expect(options('Kind (required)')).toHaveText(['Choose one', 'Soft', 'Hard']);
  await expect(body.getByRole('spinbutton', { name: 'Minutes' })).toHaveAccessibleDescription('At most 60.');
  await expect(body.getByRole('spinbutton', { name: 'Rounds' })).toHaveAccessibleDescription(
    '1 to 9. 3 where it is empty.',
  );
  await body.getByRole('combobox', { name: 'Kind (required)' }).selectOption('Hard');
  await expect(written).toContainText('"limits":{"kind":"hard"}');
  expect(await findingsOfThemes(part.page, 'the form of a step', 'main')).toEqual([]);
});

test('an automatic action of a run is one line in plain words, and the other timers are folded behind it', async ({
  part,
}) => {
  const timer = (id: number, purpose: string) => ({
    id,
    purpose,
    activationId: 1,
    dueAt: Date.now() + id * 240_000,
    fired: false,
  });
  const body = await part.mount('timers', {
    timers: [
      timer(1, keyText(['turn.limit', 1])),
      timer(2, keyText(['step.retry', 2])),
      timer(3, '["unknown-kind","dr-brac",7]'),
    ],
  });
  await expect(body).toContainText(/in 4 min: the provider’s limit ends and the turn is sent again/);
  await expect(body.getByText(/is tried again/)).toBeHidden();
  await body.getByRole('button', { name: '2 more timers' }).click();
  await expect(body.getByText(/the step is tried again \(attempt 2\)/)).toBeVisible();
  // No timer is named as it is stored.
  await expect(body).not.toContainText('dr-brac');
});

test('a hint of an error is a sentence, and its commands are set as code', async ({ part }) => {
  const mend = 'go on with it (`muster loop resume 3`), or end it: `muster cancel 3`';
  const body = await part.mount('error-note', { error: { code: 'conflict', message: 'no', mend } });
  await expect(body.locator('code')).toHaveText(['muster loop resume 3', 'muster cancel 3']);
  await expect(body).toContainText('Go on with it (muster loop resume 3), or end it: muster cancel 3');
});

test('a problem that a run causes has a link to that run', async ({ part }) => {
  const problem = {
    code: 'conflict',
    severity: 'error',
    message: 'run 7 (Loop: ralph/x) works on the branch ralph/x',
    mend: 'resume it (`muster loop resume 7`) or end it (`muster cancel 7`)',
  };
  const body = await part.mount('problems', {
    path: null,
    problems: [
      { ...problem, where: { run: 7 } },
      { ...problem, where: { path: 'steps' } },
    ],
  });
  const line = body.getByRole('listitem').first();
  await expect(line.getByRole('link', { name: 'Open the run' })).toHaveAttribute('href', '#/run/7');
  await expect(body.getByRole('link')).toHaveCount(1);
  expect(await findingsOfThemes(part.page, 'problems', 'main')).toEqual([]);
});
