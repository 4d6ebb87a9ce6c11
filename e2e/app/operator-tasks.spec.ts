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

  async choose(from: Locator, label: string): Promise<void> {
    await from.selectOption({ label });
    this.#clicks += 1;
  }

  /** The counts since the last call. */
  taken(): { keys: number; clicks: number } {
    const taken = { keys: this.#keys, clicks: this.#clicks };
    this.#keys = 0;
    this.#clicks = 0;
    return taken;
  }
}

test('ten tasks of an operator take few keys and clicks, and none needs a detour', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runs, team } = await aMorning(bench, muster);
  const operator = new Operator(page);
  /** A shorter way is allowed; a longer one is a failure. */
  const task = async (
    name: string,
    most: readonly [keys: number, clicks: number],
    work: () => Promise<void>,
  ) => {
    await work();
    const { keys, clicks } = operator.taken();
    expect(keys <= most[0] && clicks <= most[1], `${name} took ${keys} keys and ${clicks} clicks`).toBe(true);
  };
  const [good = 0, bad = 0, port = 0] = runs;
  const answer = async (runId: number) => {
    const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 0);
    return state.gates[1]?.answer;
  };
  const card = (name: string) => page.getByRole('article', { name });

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
    await expect(page.getByRole('textbox', { name: 'Reason for "Reject"' })).toBeFocused();
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
    await bench.until(muster, team, ({ state }) => (state.teams[1]?.members.ana?.rounds.length ?? 0) === 2);
  });
  await task('dismiss a failed run', [1, 1], async () => {
    await operator.click(page.getByRole('option', { name: /Breaks/ }));
    await canDecide(page);
    await operator.press('r');
    await expect(page.getByRole('option', { name: /Breaks/ })).toBeHidden();
  });
  await task('give an agent a prompt', [2, 2], async () => {
    await operator.press('c');
    const dialog = page.getByRole('dialog', { name: 'New work' });
    await expect(dialog.getByRole('textbox', { name: 'Prompt' })).toBeFocused();
    await operator.type('Say something of whales');
    await operator.choose(dialog.getByRole('combobox', { name: 'Agent' }), 'Worker');
    await operator.click(dialog.getByRole('button', { name: /^Start/ }));
    await expect(page.getByRole('heading', { name: 'Say something of whales' })).toBeVisible();
  });
  await task('open what a run cost', [3, 1], async () => {
    await operator.press('g', '$');
    await expect(page.getByRole('table')).toBeVisible();
    await operator.press('4');
    const row = page.getByRole('table').getByRole('row', { name: /Writers/ });
    await expect(row).toContainText('not reported');
    await operator.click(row.getByRole('link'));
    await expect(page.getByRole('heading', { level: 1, name: 'Writers' })).toBeVisible();
  });
  await task('find a word and land on it', [2, 1], async () => {
    await operator.press('ControlOrMeta+k');
    await operator.type('whales');
    const hit = page.getByRole('option', { name: /A draft about whales/ }).first();
    await operator.click(hit);
    await expect(page.getByRole('dialog')).toBeHidden();
    const marked = () =>
      page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => String(range)));
    await expect.poll(marked).toContain('whales');
  });
  await task('read the feed', [3, 0], async () => {
    await operator.press('g', 'f');
    const feed = page.getByRole('region', { name: 'Feed' });
    await expect(feed.getByRole('article').first()).toBeVisible();
    await operator.press('j');
    await expect(card('Update').getByRole('region', { name: 'Answer' })).toBeVisible();
  });
  await task('start a loop', [2, 1], async () => {
    await operator.press('g', 'l');
    await planIsRead(page);
    await operator.click(page.getByRole('button', { name: 'Start the loop' }));
    await expect(page.getByRole('region', { name: /^Iteration 1/ })).toBeVisible();
  });
});
