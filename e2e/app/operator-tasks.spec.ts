/** The daily tasks of an operator, with the keys and clicks that each takes. */
import type { Locator, Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { does, loopFiles, planIsRead } from '../fixtures/loop';
import { type Bench, canDecide, expect, test } from '../fixtures/test';

const asks = (id: string, more = '') => `name: ${id}
steps:
  - {id: print, type: step.command, config: {script: "echo The evidence of ${id}", terminal: false}}
  - {id: ${id}, type: step.approval, config: {message: Take ${id}?${more}}}
cables:
  - {from: print.data_out, to: ${id}.data_in}
`;
const file = (name: string) => `.muster/workflows/${name}.yaml`;
const FILES = {
  ...loopFiles(
    [1, 2, 3].map((number) => does(number)).join('') +
      '\ndefault: <task-result>A draft about whales.</task-result>',
  ),
  [file('good')]: asks('good'),
  [file('bad')]: asks('bad'),
  [file('port')]: asks('port', ', capture_response: true'),
  [file('breaks')]:
    'name: Breaks\nsteps:\n  - {id: no, type: step.command, config: {script: exit 3, terminal: false}}\n',
};

/** Three gates, a member that waits and a failed run. */
async function aMorning(bench: Bench, muster: Muster) {
  const { id: projectId } = await bench.project(muster, FILES);
  const runs: number[] = [];
  for (const name of ['good', 'bad', 'port']) {
    const { runId } = await muster.call('run.start', { projectId, file: file(name) });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    runs.push(runId);
  }
  const members = [{ name: 'ana', agent: 'worker', prompt: 'Write.', iterative: true }];
  const team = await muster.call('team.start', { projectId, name: 'Writers', config: { members } });
  await muster.call('run.start', { projectId, file: file('breaks') });
  await expect.poll(async () => (await muster.call('attention.list', {})).count).toBe(5);
  return { runs, team: team.runId };
}

/** Operates the window and counts. A typed text counts as one key. */
class Operator {
  #keys = 0;
  #clicks = 0;

  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      this.#keys += 1;
    }
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.#keys += 1;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.#clicks += 1;
  }

  /** Opens a list and takes one of it. */
  async choose(from: Locator, label: string): Promise<void> {
    await from.selectOption({ label });
    this.#clicks += 2;
  }

  /** The counts since the last call. */
  taken(): { keys: number; clicks: number } {
    const taken = { keys: this.#keys, clicks: this.#clicks };
    this.#keys = 0;
    this.#clicks = 0;
    return taken;
  }
}

type Counts = readonly [keys: number, clicks: number];

/** The window in the hands of an operator, with what each task may take at most. */
async function atWork(bench: Bench) {
  const muster = await bench.launch();
  const { page } = muster;
  const { runs, team } = await aMorning(bench, muster);
  const operator = new Operator(page);
  const done: string[] = [];
  const card = (name: string) => page.getByRole('article', { name });
  return {
    muster,
    page,
    operator,
    card,
    team,
    runs,
    done,
    reason: page.getByRole('textbox', { name: /^Reason/ }),
    newWork: page.getByRole('dialog', { name: 'New work' }),
    option: (name: RegExp) => page.getByRole('option', { name }),
    /** The entry of the palette that Enter takes. */
    found: page.getByRole('dialog').getByRole('option', { selected: true }),
    button: (name: RegExp) => page.getByRole('button', { name }),
    rail: (name: RegExp) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }),
    answer: async (runId: number) => {
      const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 0);
      return state.gates[1]?.answer;
    },
    rounds: (most: number) =>
      bench.until(muster, team, ({ state }) => state.teams[1]?.members.ana?.rounds.length === most),
    /** The words that are marked at the place that was opened. */
    marked: () => page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => String(range))),
    /** A shorter way may come; a longer one is a fault. */
    task: async (name: string, most: Counts, work: () => Promise<void>) => {
      await work();
      const { keys, clicks } = operator.taken();
      const took = `${name} took ${keys} keys and ${clicks} clicks`;
      expect(keys <= most[0] && clicks <= most[1], took).toBe(true);
      done.push(name);
    },
  };
}

const TASKS = [
  'approve with the evidence',
  'reject with a reason',
  'answer with a text',
  'reply to a member',
  'dismiss a failed run',
  'give an agent a prompt',
  'open what a run cost',
  'find a word and land on it',
  'read the feed',
  'start a loop',
];

test('ten tasks of an operator take few keys, and none needs the mouse', async ({ bench }) => {
  const desk = await atWork(bench);
  const { operator, page, card, task, answer } = desk;
  const [good = 0, bad = 0, port = 0] = desk.runs;

  await task('approve with the evidence', [3, 0], async () => {
    await operator.press('g', 'i');
    await expect(card('good')).toContainText('The evidence of good');
    await canDecide(page);
    await operator.press('a');
    expect(await answer(good)).toMatchObject({ option: 'approve' });
  });
  await task('reject with a reason', [3, 0], async () => {
    await expect(card('bad')).toContainText('The evidence of bad');
    await canDecide(page);
    await operator.press('r');
    await expect(desk.reason).toBeFocused();
    await operator.type('It has no tests.');
    await operator.press('ControlOrMeta+Enter');
    expect(await answer(bad)).toEqual({ option: 'reject', reason: 'It has no tests.' });
  });
  await task('answer with a text', [2, 0], async () => {
    await expect(page.getByRole('textbox', { name: 'Your answer' })).toBeFocused();
    await canDecide(page);
    await operator.type('8080');
    await operator.press('ControlOrMeta+Enter');
    expect(await answer(port)).toMatchObject({ text: '8080' });
  });
  await task('reply to a member', [3, 0], async () => {
    await expect(card('ana delivered round 1')).toContainText('A draft about whales.');
    await canDecide(page);
    await operator.press('r');
    await expect(page.getByRole('textbox', { name: 'Reply to ana' })).toBeFocused();
    await operator.type('Shorter.');
    await operator.press('ControlOrMeta+Enter');
    await desk.rounds(2);
  });
  await task('dismiss a failed run', [2, 0], async () => {
    await expect(card('Breaks')).toBeVisible();
    await canDecide(page);
    await operator.press('r');
    await expect(desk.option(/Breaks/)).toBeHidden();
  });
  await task('give an agent a prompt', [6, 0], async () => {
    await operator.press('c');
    await expect(desk.newWork.getByRole('textbox', { name: 'Prompt' })).toBeFocused();
    await operator.type('Say something of whales');
    await operator.press('Tab');
    await expect(desk.newWork.getByRole('option', { name: 'Worker' })).toBeAttached();
    await operator.type('Worker');
    await expect(desk.newWork.getByRole('combobox', { name: 'Agent' })).toHaveValue('worker');
    await operator.press('Shift+Tab', 'ControlOrMeta+Enter');
    await expect(page.getByRole('heading', { name: 'Say something of whales' })).toBeVisible();
  });
  await task('open what a run cost', [3, 0], async () => {
    await operator.press('ControlOrMeta+k');
    await operator.type('Writers');
    await expect(desk.found).toContainText('Writers');
    await operator.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Writers' })).toBeVisible();
    await expect(page.getByText('cost not reported').first()).toBeVisible();
  });
  await task('find a word and land on it', [4, 0], async () => {
    await operator.press('ControlOrMeta+k');
    await operator.type('draft about whales');
    await expect(desk.found).toContainText('A draft about whales');
    await operator.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect.poll(desk.marked).toContain('whales');
  });
  await task('read the feed', [3, 0], async () => {
    await operator.press('g', 'f');
    await expect(page.getByRole('region', { name: 'Feed' }).getByRole('article').first()).toBeVisible();
    await operator.press('j');
    await expect(card('Update').getByRole('region', { name: 'Answer' })).toBeVisible();
  });
  await task('start a loop', [3, 0], async () => {
    await operator.press('g', 'l');
    await planIsRead(page);
    await operator.press('ControlOrMeta+Enter');
    await expect(page.getByRole('region', { name: /^Iteration 1/ })).toBeVisible();
  });
  expect(desk.done).toEqual(TASKS);
});

test('the same ten tasks take few clicks, and no key but those of the words that are written', async ({
  bench,
}) => {
  const desk = await atWork(bench);
  const { operator, page, card, task, answer } = desk;
  const [good = 0, bad = 0, port = 0] = desk.runs;

  await task('approve with the evidence', [0, 2], async () => {
    await operator.click(desk.rail(/^Inbox/));
    await expect(card('good')).toContainText('The evidence of good');
    await canDecide(page);
    await operator.click(desk.button(/^Approve/));
    expect(await answer(good)).toMatchObject({ option: 'approve' });
  });
  await task('reject with a reason', [1, 2], async () => {
    await expect(card('bad')).toContainText('The evidence of bad');
    await canDecide(page);
    await operator.click(desk.button(/^Reject/));
    await expect(desk.reason).toBeFocused();
    await operator.type('It has no tests.');
    await operator.click(desk.button(/^(?:Send|Reject)/).last());
    expect(await answer(bad)).toEqual({ option: 'reject', reason: 'It has no tests.' });
  });
  await task('answer with a text', [1, 1], async () => {
    await expect(page.getByRole('textbox', { name: 'Your answer' })).toBeFocused();
    await canDecide(page);
    await operator.type('8080');
    await operator.click(desk.button(/^Send answer/));
    expect(await answer(port)).toMatchObject({ text: '8080' });
  });
  await task('reply to a member', [1, 2], async () => {
    await expect(card('ana delivered round 1')).toContainText('A draft about whales.');
    await canDecide(page);
    await operator.click(desk.button(/^Ask for changes/));
    await expect(page.getByRole('textbox', { name: 'Reply to ana' })).toBeFocused();
    await operator.type('Shorter.');
    await operator.click(desk.button(/^Ask for changes/));
    await desk.rounds(2);
  });
  await task('dismiss a failed run', [0, 1], async () => {
    await expect(card('Breaks')).toBeVisible();
    await canDecide(page);
    await operator.click(desk.button(/^Dismiss/));
    await expect(desk.option(/Breaks/)).toBeHidden();
  });
  await task('give an agent a prompt', [1, 4], async () => {
    await operator.click(desk.button(/^New work$/));
    await expect(desk.newWork.getByRole('textbox', { name: 'Prompt' })).toBeFocused();
    await operator.type('Say something of whales');
    await operator.choose(desk.newWork.getByRole('combobox', { name: 'Agent' }), 'Worker');
    await operator.click(desk.newWork.getByRole('button', { name: /^Start/ }));
    await expect(page.getByRole('heading', { name: 'Say something of whales' })).toBeVisible();
  });
  await task('open what a run cost', [0, 4], async () => {
    await operator.click(desk.rail(/^Spend/));
    await expect(page.getByRole('table')).toBeVisible();
    await operator.choose(page.getByRole('combobox', { name: 'Added up by' }), 'By run');
    const row = page.getByRole('table').getByRole('row', { name: /Writers/ });
    await expect(row).toContainText('not reported');
    await operator.click(row.getByRole('link'));
    await expect(page.getByRole('heading', { level: 1, name: 'Writers' })).toBeVisible();
  });
  await task('find a word and land on it', [1, 2], async () => {
    await operator.click(desk.rail(/^Search/));
    await expect(page.getByRole('searchbox', { name: 'Search everything' })).toBeFocused();
    await operator.type('draft about whales');
    await operator.click(page.getByRole('option', { name: /A draft about whales/ }).first());
    await expect.poll(desk.marked).toContain('whales');
  });
  await task('read the feed', [0, 2], async () => {
    await operator.click(desk.rail(/^Feed/));
    const feed = page.getByRole('region', { name: 'Feed' });
    await operator.click(feed.getByRole('article').nth(1));
    await expect(card('Update').getByRole('region', { name: 'Answer' })).toBeVisible();
  });
  await task('start a loop', [0, 2], async () => {
    await operator.click(desk.rail(/^Loops/));
    await planIsRead(page);
    await operator.click(desk.button(/^Start the loop/));
    await expect(page.getByRole('region', { name: /^Iteration 1/ })).toBeVisible();
  });
  expect(desk.done).toEqual(TASKS);
});
