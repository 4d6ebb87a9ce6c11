import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { pressBoth } from '../fixtures/press-both';
import { type Bench, canDecide, expect, letGo, scripted, test, WORKFLOW } from '../fixtures/test';

const steps = `name: Build it
steps:
  - id: build
    title: Build the greeting
    type: step.agent_task
    config:
      acp_profile_id: worker
      instruction: Build the greeting.
      re_prompts: [Now the tests.]
`;

/**
 * A turn that plans, thinks, runs, writes and asks; a second one that writes more; and replies to the
 * operator.
 */
const script = `match:
  - when: Build the greeting
    reply:
      think: I look at what is there before I write anything.
      plan:
        - { content: Look around, status: completed, priority: medium }
        - { content: Write the greeting, status: in_progress, priority: high }
        - { content: Cover it with a test, status: pending, priority: medium }
      do:
        - run: { command: ls }
        - write:
            path: src/greet.ts
            content: |
              /** Greets someone by their name. */
              export function greet(name: string): string {
                const trimmed = name.trim();
                return \`Hello \${trimmed}!\`;
              }
            ask: true
            if_rejected: I was not allowed to write it.
        - say: "The greeting stands in src/greet.ts."
      usage: { input_tokens: 1410, output_tokens: 258, cost_usd: 0.0212 }
  - when: Now the tests
    reply:
      do:
        - write:
            path: src/greet.test.ts
            content: |
              import { expect, test } from 'vitest';
              import { greet } from './greet';

              test('a greeting names the person', () => expect(greet(' Ada ')).toBe('Hello Ada!'));
        - edit: { path: README.md, find: "# A project", replace: "# A project that greets" }
        - run: { command: "echo '1 passed'" }
      text: There is a test now.
      usage: { input_tokens: 900, output_tokens: 120, cost_usd: 0.011 }
  - when: Wait here
    reply: { do: [{ say: "I wait. " }, { wait_for_file: never }], text: Never said. }
  - when: Write a joke
    reply: { do: [{ write: { path: joke.txt, content: "Knock knock.\\n" } }], text: A joke is written. }
  - when: Write and wait
    reply:
      do:
        - { wait_for_file: begin }
        - { write: { path: notes.txt, content: "One note.\\n" } }
        - { wait_for_file: never }
      text: Never said.
  - when: Tell a long story
    reply:
      text: |
        Once upon a time.

${'        And then it went on and on, as stories do, until nobody remembered how it had begun.\n\n'.repeat(80)}
        The end.
      stream: { chunk: 24, delay_ms: 10 }
default: "Understood: {{prompt}}"
`;

async function begin(bench: Bench, muster: Muster): Promise<number> {
  const project = await bench.project(muster, scripted(steps, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  return runId;
}

const show = (page: Page, runId: number, more = '') =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, `#/session/${runId}/1${more}`);

/** Runs the whole workflow; the page answers its gate. */
async function finished(bench: Bench, muster: Muster): Promise<number> {
  const runId = await begin(bench, muster);
  await bench.until(muster, runId, ({ state }) => state.gates[1]?.status === 'open');
  await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'allow' } });
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  return runId;
}

const box = (page: Page) => page.getByRole('region', { name: 'Your next prompt' });
const transcript = (page: Page) => page.locator('[data-part="session-transcript"]');

test('the transcript shows what the agent does, and its question is answered in place', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await begin(bench, muster);
  await show(page, runId, '?show=transcript');
  const turn = transcript(page).getByRole('region', { name: /^Prompt, turn \d+$/ });
  const gate = turn.getByRole('region', { name: /^Gate:/ });
  await expect(gate).toContainText('export function greet');
  await expect(turn.getByRole('button', { name: /Plan: 1 of 3 done/ })).toBeVisible();
  await expect(turn.getByText('Write the greeting')).toBeVisible();
  await expect(turn.getByRole('button', { name: /^Thought|^Thinking/ })).toBeVisible();
  await expect(box(page).getByRole('status')).toContainText('which waits for your answer');
  await expect(page.getByRole('option', { name: /Waits for you/ })).toBeVisible();
  // The window holds no truth: after a reload it shows the same.
  const words = async () => (await gate.textContent())?.replaceAll(/\d+ s ago|just now/g, '');
  const before = await words();
  await page.reload();
  await expect.poll(words).toBe(before);
  await canDecide(page);
  await page.keyboard.press('a');
  const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(state.outcome).toBe('succeeded');
  await expect(transcript(page).getByRole('region', { name: 'Re-prompt 1/1' })).toContainText(
    'There is a test now.',
  );
  await expect(turn.getByRole('button', { name: /Write src\/greet\.ts/ })).toBeVisible();
  await turn.getByRole('button', { name: /Write src\/greet\.ts/ }).click();
  await expect(turn.locator('.diff')).toContainText('return');
  await expect(page.locator('[data-part="session-page"] .head-facts')).toContainText('2.7k tokens · $0.03');
});

test('a prompt to a finished run is sent in the same session, which opens the run again', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await finished(bench, muster);
  await show(page, runId, '?show=transcript');
  await expect(box(page).getByRole('status')).toContainText('This reopens the finished run.');
  await page.keyboard.press('p');
  await expect(box(page).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Write a joke as well.');
  await page.keyboard.press('Control+Enter');
  const mine = transcript(page).getByRole('region', { name: 'Your prompt' });
  await expect(mine).toContainText('A joke is written.');
  await expect(box(page).getByRole('textbox')).toHaveValue('');
  const { state } = await bench.until(muster, runId, ({ state }) => state.status === 'finished');
  expect(state.outcome).toBe('succeeded');
  expect(Object.keys(state.sessions)).toEqual(['1']);
  expect(state.turns[3]).toMatchObject({ sessionId: 1, kind: 'operator', prompt: 'Write a joke as well.' });
});

test('the end of a streaming answer stays in sight until the reader scrolls away', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await finished(bench, muster);
  await show(page, runId, '?show=transcript');
  await expect(transcript(page).getByRole('region', { name: 'Re-prompt 1/1' })).toBeVisible();
  await muster.call('session.prompt', { runId, sessionId: 1, text: 'Tell a long story' });
  const scroller = transcript(page).locator('.stack-scroll');
  const where = () =>
    scroller.evaluate((element) => ({
      above: element.scrollTop,
      below: element.scrollHeight - element.scrollTop - element.clientHeight,
    }));
  await expect.poll(async () => (await where()).above).toBeGreaterThan(900);
  await expect.poll(async () => (await where()).below).toBeLessThan(60);
  await scroller.hover();
  await page.mouse.wheel(0, -600);
  await expect(page.getByRole('button', { name: 'Follow' })).toBeVisible();
  const held = await where();
  await expect.poll(async () => (await where()).below).toBeGreaterThan(held.below + 200);
  expect((await where()).above).toBeCloseTo(held.above, -1);
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect.poll(async () => (await where()).below).toBeLessThan(60);
  await bench.until(muster, runId, ({ state }) => state.status === 'finished');
});

test('a turn is cancelled in its middle, and a prompt that waits behind it is sent or withdrawn', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await finished(bench, muster);
  await muster.call('session.prompt', { runId, sessionId: 1, text: 'Wait here' });
  await show(page, runId, '?show=transcript');
  const waiting = transcript(page).getByRole('region', { name: 'Your prompt' });
  await expect(waiting).toContainText('I wait.');
  for (const text of ['Not this one', 'But this one']) {
    await box(page).getByRole('textbox').fill(text);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('list', { name: 'Queued prompts' })).toContainText(text);
  }
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  await expect(page.getByRole('list', { name: 'Queued prompts' })).not.toContainText('Not this one');
  await page.getByRole('button', { name: /^Cancel turn/ }).click();
  await expect(waiting.first()).toContainText('Cancelled by operator');
  await expect(transcript(page)).toContainText('Understood: But this one');
  const { state } = await bench.until(muster, runId, ({ state }) => state.status === 'finished');
  expect(Object.values(state.turns).map((turn) => turn.status)).toEqual([
    ...['completed', 'completed', 'cancelled', 'completed'],
  ]);
});

test('a session that stands idle is parked by hand, and its next turn resumes it', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const asks = `${steps.replace('re_prompts', 'session_persist: true\n      re_prompts')}  - id: ok
    type: step.approval
    config: { message: Good? }
cables:
  - { from: build.data_out, to: ok.data_in }
  - { from: ok.revise_out, to: build.instruction_in }
`;
  const project = await bench.project(muster, scripted(asks, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ state }) => state.gates[1]?.status === 'open');
  await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'allow' } });
  await bench.until(muster, runId, ({ state }) => state.gates[2]?.status === 'open');
  await show(page, runId, '?show=transcript');
  const head = page.locator('[data-part="session-page"] .detail-head');
  await head.getByRole('button', { name: /^Park/ }).click();
  await expect(head).toContainText('parked by the operator');
  await expect(box(page).getByRole('status')).toContainText(
    'Resumes the session with its whole conversation',
  );
  await box(page).getByRole('textbox').fill('Are you there?');
  await page.keyboard.press('Control+Enter');
  await expect(transcript(page)).toContainText('Understood: Are you there?');
});

test('the changes of a turn are coloured, commented into the next prompt, and a hunk is taken back and put back', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await finished(bench, muster);
  await show(page, runId, '?show=transcript');
  const turn = transcript(page).getByRole('region', { name: 'Re-prompt 1/1' });
  await turn.getByRole('link', { name: /in 2 files/ }).click();
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes.getByRole('navigation', { name: 'Files that changed' })).toContainText(
    'greet.test.ts',
  );
  await expect(changes.locator('.hljs-keyword').first()).toHaveText('import');
  const hunk = changes.getByRole('region', { name: /Hunk at line \d+ of README\.md/ });
  await hunk.getByRole('button', { name: 'Comment', exact: true }).click();
  const writing = page.getByRole('textbox', { name: /Comment on README\.md/ });
  await writing.fill('Say whom.');
  // An unsent comment is restored at its hunk.
  await page.reload();
  await hunk.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(writing).toHaveValue('Say whom.');
  await writing.press('Control+Enter');
  await expect(box(page)).toContainText('README.md:1');
  await page.reload();
  await expect(box(page)).toContainText('README.md:1');
  await expect(changes.locator('[data-part="comment-card"]')).toContainText('Say whom.');
  const { state } = await bench.until(muster, runId, () => true);
  const readme = () => readFileSync(join(state.workspace?.path ?? '', 'README.md'), 'utf8');
  expect(readme()).toContain('# A project that greets');
  await hunk.getByRole('button', { name: /^Take back/ }).click();
  await expect(hunk).toContainText('Taken back');
  expect(readme()).toBe('# A project\n');
  await hunk.getByRole('button', { name: 'Undo' }).click();
  await expect(hunk.getByRole('button', { name: /^Keep/ })).toBeVisible();
  expect(readme()).toContain('# A project that greets');
  await hunk.getByRole('button', { name: /^Keep/ }).click();
  await expect(hunk).toContainText('Kept');
  // The same by keys, starting at the first hunk.
  await page.keyboard.press('1');
  await expect(hunk).toBeHidden();
  await page.keyboard.press('2');
  // There is no hunk to go to before the hunks are loaded.
  await expect(hunk).toBeVisible();
  await page.keyboard.press('j');
  const first = changes.locator('[data-part="hunk"][aria-current]');
  await page.keyboard.press('Shift+R');
  await expect(first).toContainText('Taken back');
  await page.keyboard.press('Shift+Z');
  await expect(first).not.toContainText('Taken back');
  await page.keyboard.press('Shift+A');
  await expect(first).toContainText('Kept');
  await box(page).getByRole('button', { name: /^Send/ }).click();
  const after = await bench.until(muster, runId, ({ state }) => state.turns[3]?.status === 'completed');
  expect(after.state.turns[3]?.prompt).toContain('`README.md:1`');
  expect(after.state.turns[3]?.prompt).toContain('Say whom.');
});

test('changes are shown while the agent works, and cannot be taken back meanwhile', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await finished(bench, muster);
  await muster.call('session.prompt', { runId, sessionId: 1, text: 'Write and wait' });
  const { state } = await bench.until(muster, runId, (run) => run.state.turns[3]?.status === 'in_flight');
  await show(page, runId, '?show=changes');
  const files = page.getByRole('navigation', { name: 'Files that changed' });
  await expect(files).toContainText('greet.ts');
  await expect(files).not.toContainText('notes.txt');
  letGo(state.workspace?.path ?? '', 'begin');
  await expect(files).toContainText('notes.txt');
  await files.getByRole('treeitem', { name: /notes\.txt/ }).click();
  const hunk = page.getByRole('region', { name: /Hunk at line \d+ of notes\.txt/ });
  await hunk.getByRole('button', { name: /^Take back/ }).click();
  await expect(page.getByText('An agent works in this folder: turn 3.')).toBeVisible();
  await expect(hunk).not.toContainText('Taken back');
});

test('live terminals of all runs stand in a grid, one of them in full by a key', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const shells = `name: Shells
steps:
  - { id: one, type: step.command, config: { script: "echo first; until [ -e go ]; do sleep 0.1; done" } }
  - { id: two, type: step.command, config: { script: "echo second; until [ -e go ]; do sleep 0.1; done" } }
`;
  const project = await bench.project(muster, { '.muster/workflows/w.yaml': shells });
  await muster.call('app.setLayout', { key: 'terminal.screenReader', value: true });
  await page.reload();
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(
    muster,
    runId,
    ({ state }) => state.commands[1]?.status === 'running' && state.commands[2]?.status === 'running',
  );
  await pressBoth(page, 'g', 's');
  await expect(page.getByRole('option', { name: /echo second/ })).toBeVisible();
  await page.keyboard.press('v');
  const cells = page.locator('[data-part="grid-cell"]');
  await expect(cells).toHaveCount(2);
  await expect(cells.nth(0)).toContainText('first');
  await expect(cells.nth(1)).toContainText('second');
  await cells.nth(1).focus();
  await page.keyboard.press('f');
  await expect(cells).toHaveCount(1);
  await expect(cells).toContainText('second');
  await page.keyboard.press('f');
  await expect(cells).toHaveCount(2);
  // Enters the terminal, which takes every key except those that leave it, and moves to the next.
  await cells.nth(0).focus();
  await page.keyboard.press('i');
  await expect(cells.nth(0).locator('textarea')).toBeFocused();
  await page.keyboard.press('Control+Shift+X');
  await expect(cells.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(cells.nth(1)).toBeFocused();
  const folder = state.workspace?.path ?? project.path;
  expect(existsSync(folder)).toBe(true);
  letGo(folder);
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  // A terminal that ends while it is shown stays readable.
  await expect(cells.nth(0)).toContainText('first');
});

test('agents that work beside each other are sessions of their own, by role, each with its own changes', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const coding = `name: In parallel
steps:
  - id: code
    type: step.coding
    config:
      instruction: Write a joke
      coordination: parallel
      agents:
        - { role: builder, acp_profile_id: worker }
        - { role: tester, acp_profile_id: worker, instruction_override: Now the tests }
`;
  const project = await bench.project(muster, scripted(coding, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ state }) => state.status === 'finished');
  await pressBoth(page, 'g', 's');
  await page.getByRole('option', { name: /tester · Worker/ }).click();
  await expect(page.getByRole('heading', { name: 'tester · Worker' })).toBeVisible();
  await page.keyboard.press('2');
  const files = page.getByRole('region', { name: 'Changes', exact: true });
  await expect(files).toContainText('greet.test.ts');
  await expect(files).not.toContainText('joke.txt');
  await page.getByRole('option', { name: /builder · Worker/ }).click();
  await expect(files).toContainText('joke.txt');
  await expect(page.getByRole('heading', { name: 'builder · Worker' })).toBeVisible();
});
