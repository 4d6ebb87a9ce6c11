import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { memberLane } from '@features/team/contract/lanes/lanes';
import type { TeamState } from '@features/team/contract/state';
import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { pressBoth } from '../fixtures/press-both';
import { type Bench, canDecide, expect, letGo, test } from '../fixtures/test';

const chat = (page: Page) => page.locator('[data-part="team-chat"]');
const composer = (page: Page) => page.getByRole('region', { name: 'Your message' });
const message = (page: Page) => composer(page).getByRole('textbox', { name: 'Message' });
const result = (page: Page, name: string, round: number) =>
  page.getByRole('article', { name: `Result of ${name}, round ${round}`, exact: true });
/** The row of a member's thread, after its first round. */
const thread = (page: Page, name: string) =>
  page.getByRole('option', { name: new RegExp(`(^|\\s)${name}\\s.*r\\d`) });
const card = (page: Page, name: string) => page.getByRole('article', { name: `Member ${name}`, exact: true });

const teamOf = async (muster: Muster, runId: number): Promise<TeamState> => {
  const { state } = await muster.call('run.get', { runId });
  const team = Object.values(state.teams)[0];
  if (team === undefined) throw new Error('no team');
  return team;
};

/** Starts the sample team of five with one click in the empty view. */
async function startSample(bench: Bench, muster: Muster): Promise<number> {
  const { page } = muster;
  await muster.call('project.createSample', {});
  await page.reload();
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
  await pressBoth(page, 'g', 't');
  const template = page.getByRole('listitem', { name: 'Prompt engineers' });
  await template.getByRole('button', { name: /^Start 5 agents/ }).click();
  await expect(page.getByRole('option', { name: /S2-assembly/ })).toBeVisible();
  await bench.until(muster, 1, ({ state }) => Object.keys(state.teams).length === 1);
  return 1;
}

test('five iterative agents are led by @, in words and by button, merged and cleaned up', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await startSample(bench, muster);
  for (const name of ['S1', 'S2', 'dr-brac', 'converter', 'S2-assembly']) {
    await expect(card(page, name).getByText('Waits for you')).toBeVisible({ timeout: 120_000 });
  }
  await expect(page.getByText('5', { exact: true }).first()).toBeVisible();
  // No model answers in the sample, and each card says so.
  await expect(card(page, 'S1')).toContainText('rehearsal');
  // Only the selected card is emphasised.
  await expect(chat(page).getByRole('button', { name: /^Satisfied/ })).toHaveCount(5);
  await expect(chat(page).locator('.button.primary')).toHaveCount(0);

  // Sends feedback to S1 by @, from the chat of all.
  await page.keyboard.press('m');
  await page.keyboard.type('@S');
  await expect(page.getByRole('option', { name: '@S1' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Add more design system terminology, make it more instructional');
  await expect(composer(page).getByRole('status')).toContainText('To S1, who starts round 2 at once.');
  await page.keyboard.press('Control+Enter');
  await expect(result(page, 'S1', 2)).toContainText('Add more design system terminology', {
    timeout: 120_000,
  });
  await expect(result(page, 'S1', 2)).toContainText('in 1 file since the last round');
  await result(page, 'S1', 2)
    .getByRole('button', { name: /^Changes of this round/ })
    .click();
  await expect(result(page, 'S1', 2).getByRole('region', { name: 'Changed lines' })).toContainText(
    'make it more instructional',
  );
  await expect(message(page)).toHaveValue('');

  // After a reload, the window shows the same.
  await thread(page, 'S1').click();
  await expect(result(page, 'S1', 2)).toBeVisible();
  await expect(chat(page).locator('.button.primary')).toHaveText(/^Satisfied/);
  const words = async () => {
    const all = [await chat(page).textContent(), await page.locator('[data-part="team-side"]').textContent()];
    return all.join(' ').replaceAll(/just now|\d+ (s|min)( ago)?/g, '');
  };
  const before = await words();
  await page.reload();
  await expect(result(page, 'S1', 2)).toBeVisible();
  await expect.poll(words).toBe(before);
  await page.getByRole('link', { name: 'Prompt engineers', exact: true }).click();

  // Ambiguous words open a question and have no other effect.
  await message(page).fill('@S1 I will be satisfied soon, shorten it first');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alertdialog', { name: 'Release S1?' })).toBeFocused();
  expect((await teamOf(muster, runId)).members.S1?.released).toBeNull();
  await page.keyboard.press('n');
  await expect(result(page, 'S1', 3)).toContainText('shorten it first', { timeout: 120_000 });

  // Clear words release the member: a final round, then it stops, then its merge is offered.
  await message(page).fill("Perfect. I'm satisfied with S1.");
  await page.keyboard.press('Control+Enter');
  await expect(chat(page).getByText('You are satisfied with S1')).toBeVisible();
  const final = page.getByRole('article', { name: 'Result of S1, round 4' });
  await expect(final).toContainText('claims: completed', { timeout: 120_000 });
  await expect(chat(page).getByText('S1 has stopped')).toBeVisible();
  const merge = page.getByRole('region', { name: /^Gate: Merge S1 into main/ });
  await merge.getByRole('button', { name: /^Merge/ }).click();
  await expect(chat(page).getByText('S1 is merged into main')).toBeVisible({ timeout: 120_000 });
  await expect(card(page, 'S1').getByText('Merged', { exact: true })).toBeVisible();

  // The button releases the others. When no member is left, the team's end is offered.
  const end = page.getByRole('button', { name: /^End the team/ });
  await expect(end).toBeDisabled();
  await expect(end).toHaveAttribute('title', 'Accept or shut down S2, dr-brac, converter and 1 more first');
  for (const name of ['S2', 'dr-brac', 'converter', 'S2-assembly']) {
    await thread(page, name).click();
    await expect(page.getByRole('heading', { name: new RegExp(`/ ${name}$`) })).toBeVisible();
    await result(page, name, 1)
      .getByRole('button', { name: /^Satisfied/ })
      .click();
    const gate = page.getByRole('region', { name: new RegExp(`^Gate: Merge ${name} into main`) });
    await gate.getByRole('button', { name: /^Merge/ }).click({ timeout: 120_000 });
    await expect(chat(page).getByText(`${name} is merged into main`)).toBeVisible({ timeout: 120_000 });
  }
  const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(state.outcome).toBe('succeeded');
  const rounds = Object.values((await teamOf(muster, runId)).members).map((member) => member.rounds.length);
  expect(rounds).toEqual([4, 2, 2, 2, 2]);
  await expect(composer(page).getByRole('status')).toContainText('The team has ended');
});

const agents = `profiles:
  - {kind: scripted, id: slow, name: Slow, script: .muster/slow.yaml}
  - {kind: scripted, id: quick, name: Quick, script: .muster/quick.yaml}
`;
const slow = `turns:
  - do: [{ say: "I begin. " }, { wait_for_file: go }]
    text: <task-result>The first draft.</task-result>
match:
  - when: "operator says:\\\\n([\\\\s\\\\S]+?)\\\\s*$"
    flags: i
    reply: { text: "<task-result>Taken up: {{1}}</task-result>" }
`;
const quick = 'default: <task-result status="completed">Read.</task-result>\n';

async function mixed(bench: Bench, muster: Muster): Promise<number> {
  const files = { '.muster/agents.yaml': agents, '.muster/slow.yaml': slow, '.muster/quick.yaml': quick };
  const project = await bench.project(muster, files);
  const members = [
    { name: 'writer', agent: 'slow', prompt: 'Write.', iterative: true },
    { name: 'reader', agent: 'quick', prompt: 'Read.', read_only: true },
  ];
  const { runId } = await muster.call('team.start', {
    projectId: project.id,
    name: 'Mixed',
    config: { members },
  });
  // The other member's turn may begin first and end before this check.
  await bench.until(muster, runId, ({ state }) =>
    Object.values(state.turns).some(
      ({ lane, status }) => lane === memberLane('writer') && status === 'in_flight',
    ),
  );
  return runId;
}

test('messages to a busy member wait, are edited and withdrawn, and are delivered once, and a mixed team is cleaned up', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await mixed(bench, muster);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}/1/writer`);
  await expect(page.getByRole('article', { name: 'writer is working' })).toContainText('I begin.');
  await page.keyboard.press('m');
  await page.keyboard.type('rather blue');
  await expect(composer(page).getByRole('status')).toContainText(
    'Queued: writer gets it when its turn ends.',
  );
  // The second message is written and sent before the core answers the first.
  const core = await muster.corePid();
  process.kill(core, 'SIGSTOP');
  await page.keyboard.press('Control+Enter');
  await message(page).fill('and a second one');
  await page.keyboard.press('Control+Enter');
  await expect(message(page)).toHaveValue('');
  process.kill(core, 'SIGCONT');
  const queue = page.getByRole('list', { name: 'Queued messages' });
  await expect(queue.getByRole('listitem')).toContainText(['rather blue', 'and a second one']);
  // A half-written message survives a reload of the window.
  await message(page).fill('half a');
  await page.reload();
  await expect(message(page)).toHaveValue('half a');
  await queue.getByRole('listitem').first().getByRole('button', { name: 'Edit' }).click();
  await queue.getByRole('textbox').fill('rather green');
  await page.keyboard.press('Control+Enter');
  await expect(queue).toContainText('rather green');
  await queue.getByRole('listitem').nth(1).getByRole('button', { name: 'Withdraw' }).click();
  await expect(queue.getByRole('listitem')).toHaveCount(1);
  const { state } = await muster.call('run.get', { runId });
  const session = Object.values(state.sessions).find(({ profileId }) => profileId === 'slow');
  // An edit that is unsaved when its message is sent is not lost.
  await queue.getByRole('button', { name: 'Edit' }).click();
  await queue.getByRole('textbox').fill('rather olive, or');
  letGo(session?.cwd ?? '');
  await expect(result(page, 'writer', 2)).toContainText('Taken up: rather green');
  await expect(queue).toBeHidden();
  await expect(message(page)).toHaveValue('rather olive, or\nhalf a');
  const turns = Object.values((await muster.call('run.get', { runId })).state.turns);
  expect(turns.filter(({ prompt }) => prompt.includes('rather green'))).toHaveLength(1);
  expect(turns.some(({ prompt }) => prompt.includes('second one') || prompt.includes('blue'))).toBe(false);

  // The keys of the thread: request changes, and satisfied.
  await page.getByRole('region', { name: 'Thread of writer' }).focus();
  await page.keyboard.press('Shift+C');
  await expect(message(page)).toBeFocused();
  await message(page).fill('');
  await page.getByRole('region', { name: 'Thread of writer' }).focus();
  await page.keyboard.press('Shift+S');
  await expect(card(page, 'writer').getByText(/Stopp/)).toBeVisible();
  // The task board, edited by hand.
  await page.keyboard.press('2');
  await page.getByRole('form', { name: 'Add a task' }).getByRole('textbox').fill('Proofread');
  await page.keyboard.press('Enter');
  const task = page.getByRole('article', { name: 'Task 1: Proofread' });
  await task.getByRole('button', { name: 'Complete task 1' }).click();
  await expect(task.getByText('Completed')).toBeVisible();
  await page.getByRole('region', { name: 'Thread of writer' }).focus();
  await page.keyboard.press('1');
  await expect(card(page, 'reader').getByText('Idle')).toBeVisible();
  await expect(card(page, 'writer').getByText('Stopped')).toBeVisible({ timeout: 120_000 });
  // The file that releases it counts as a change: its merge is offered, and a key answers it.
  await expect(page.getByRole('region', { name: /^Gate: Merge writer into main/ })).toBeVisible();
  await canDecide(page);
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: /Reason/ }).fill('It is empty.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Merge of writer' })).toContainText('You declined it.');
  await page.getByRole('button', { name: /^End the team/ }).click();
  const done = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(done.state.outcome).toBe('succeeded');
});

test('an interrupt with text ends the turn, and the text goes next', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await mixed(bench, muster);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}/1/all`);
  await message(page).fill('@writer stop, rather red');
  // The first turn in flight may be the other member's.
  await expect(page.getByRole('button', { name: 'Interrupt and send' })).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(result(page, 'writer', 1)).toContainText('Taken up: stop, rather red');
  await expect(message(page)).toHaveValue('');
});

test('a team is put together by hand, and names its invalid members', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, {
    '.muster/agents.yaml': agents,
    '.muster/slow.yaml': slow,
    '.muster/quick.yaml': quick,
  });
  await page.reload();
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
  await pressBoth(page, 'g', 't');
  const form = page.getByRole('form', { name: 'A team by hand' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Readers');
  await expect(form.getByRole('status')).toContainText('a name has letters');
  await form.getByRole('textbox', { name: 'Name of member 1' }).fill('one');
  await form.getByRole('combobox', { name: 'Agent of one' }).selectOption('quick');
  await form.getByRole('textbox', { name: 'Task of one' }).fill('Read the notes.');
  await form.getByRole('button', { name: /^Add a member/ }).click();
  await form.getByRole('textbox', { name: 'Name of member 2' }).fill('ONE');
  await expect(form.getByRole('status')).toContainText('another member has this name');
  await form.getByRole('button', { name: 'Remove ONE', exact: true }).click();
  // The form is saved as a template, and a team is started from it.
  await form.getByRole('button', { name: /^Save as template/ }).click();
  await page.getByText('From a template').click();
  const saved = page.getByRole('listitem', { name: 'Readers' });
  await saved.getByRole('button', { name: /^Start 1 agent/ }).click();
  await expect(result(page, 'one', 1)).toContainText('Read.', { timeout: 120_000 });
  // A member is added while the team works.
  await page.getByRole('button', { name: 'Add a member' }).click();
  const spawn = page.getByRole('form', { name: 'Add a member' });
  await spawn.getByRole('textbox', { name: 'Name' }).fill('two');
  await spawn.getByRole('combobox', { name: 'Agent' }).selectOption('quick');
  await spawn.getByRole('textbox', { name: 'Task' }).fill('Read it as well.');
  await page.keyboard.press('Control+Enter');
  await expect(result(page, 'two', 1)).toBeVisible({ timeout: 120_000 });
  // The current team is saved under another name.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+T');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Two readers');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved as .muster/teams/two-readers.yaml')).toBeVisible();
});

const rivals = `match:
  - when: "You are (alpha|beta)"
    reply:
      do: [{ write: { path: shared.md, content: "The words of {{1}}.\\\\n" } }]
      text: <task-result status="completed">Written by {{1}}.</task-result>
default: <task-result status="completed">Done.</task-result>
`;

test('a merge with a conflict is decided file by file, and the checkout has what was decided', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, {
    '.muster/agents.yaml':
      'profiles:\n  - {kind: scripted, id: rival, name: Rival, script: .muster/rival.yaml}\n',
    '.muster/rival.yaml': rivals,
  });
  const members = ['alpha', 'beta'].map((name) => ({ name, agent: 'rival', prompt: 'Write.' }));
  const { runId } = await muster.call('team.start', {
    projectId: project.id,
    name: 'Rivals',
    config: { members },
  });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}`);
  await expect(card(page, 'alpha').getByText('Idle')).toBeVisible({ timeout: 120_000 });
  await card(page, 'alpha').getByRole('button', { name: 'Shut down' }).click();
  await page
    .getByRole('region', { name: /^Gate: Merge alpha/ })
    .getByRole('button', { name: /^Merge/ })
    .click();
  await expect(chat(page).getByText('alpha is merged into main')).toBeVisible({ timeout: 120_000 });
  await expect(card(page, 'beta').getByText('Idle')).toBeVisible({ timeout: 120_000 });
  await card(page, 'beta').getByRole('button', { name: 'Shut down' }).click();
  const merge = page.getByRole('region', { name: 'Merge of beta' });
  const conflict = merge.getByRole('region', { name: 'Conflict in shared.md' });
  await expect(conflict).toContainText('The words of alpha.');
  await expect(conflict).toContainText('The words of beta.');
  const confirm = merge.getByRole('button', { name: 'Merge 1 file into main' });
  await expect(confirm).toBeDisabled();
  await conflict.getByRole('radio', { name: 'Both' }).check({ force: true });
  await expect(confirm).toBeEnabled();
  await conflict.getByRole('radio', { name: 'By hand' }).check({ force: true });
  await conflict.getByRole('textbox', { name: 'shared.md, by hand' }).fill('The words of both.\n');
  // An unfinished choice survives a reload.
  await page.reload();
  await expect(conflict.getByRole('textbox')).toHaveValue('The words of both.\n');
  await confirm.click();
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  await expect(chat(page).getByText('beta is merged into main')).toBeVisible();
  expect(readFileSync(join(project.path, 'shared.md'), 'utf8')).toBe('The words of both.\n');
});

const boss = `match:
  - when: "user says:\\\\n([\\\\s\\\\S]+?)\\\\s*$"
    flags: i
    reply: "Heard: {{1}}"
default: I lead, and wait.
`;

test('an agent that leads has a thread, and reads a message with @name along', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, {
    '.muster/agents.yaml': `${agents}  - {kind: scripted, id: boss, name: Boss, script: .muster/boss.yaml}\n`,
    '.muster/slow.yaml': slow,
    '.muster/quick.yaml': quick,
    '.muster/boss.yaml': boss,
  });
  const config = {
    lead: { agent: 'boss' },
    instruction: 'Lead them.',
    members: [{ name: 'reader', agent: 'quick', prompt: 'Read.', iterative: true, read_only: true }],
  };
  const { runId } = await muster.call('team.start', { projectId: project.id, name: 'Led', config });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}/1/lead`);
  // If the reader finishes before the lead starts, the lead's first prompt has its result and is answered.
  await expect(chat(page)).toContainText(/I lead, and wait\.|Heard: Lead them\./, { timeout: 120_000 });
  await expect(page.getByRole('option', { name: 'Lead', exact: true })).toBeVisible();
  await expect(composer(page).getByRole('status')).toContainText('To the lead, at once.');
  await message(page).fill('How is it going?');
  await page.keyboard.press('Control+Enter');
  await expect(chat(page)).toContainText('Heard: How is it going?');
  await message(page).fill('@reader once more');
  await expect(composer(page).getByRole('status')).toContainText('The lead also reads it.');
  await page.keyboard.press('Control+Enter');
  await expect(chat(page)).toContainText('To reader, directly: once more');
  await page.getByRole('link', { name: 'Led', exact: true }).click();
  await expect(result(page, 'reader', 2)).toBeVisible({ timeout: 120_000 });
  // Messages to the lead appear only in its own thread.
  await expect(chat(page).getByText(/^To reader, directly/)).toBeHidden();
});
