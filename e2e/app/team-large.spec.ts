import type { Page } from '@playwright/test';
import { agentFiles, startTeam, teamIn } from '../fixtures/team';
import { expect, test } from '../fixtures/test';

const MEMBERS = 50;
/**
 * Messages per member, besides its instructions and its result. 30 of them take two minutes on two
 * processors.
 */
const NOTES = Number(process.env.MUSTER_TEAM_NOTES ?? 16);
/** Pages of earlier messages to read: a reloaded window has the last 300 messages, and a page holds 200. */
const PAGES = Math.min(3, Math.floor((MEMBERS * NOTES - 300) / 200));

const name = (index: number): string => `member-${String(index + 1).padStart(2, '0')}`;

/** Sends its lead many messages with the tool, then delivers. */
const poster = JSON.stringify({
  default: {
    do: Array.from({ length: NOTES }, (_, index) => ({
      tool: {
        name: 'team_message',
        input: { to: 'lead', text: `Note ${index + 1}: **what** I saw in \`notes.md\`.` },
      },
    })),
    text: '<task-result status="completed">All is told.</task-result>',
  },
});

/** From now on, records how long the window is blocked, in milliseconds. */
const watchTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { longTasks: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push(entry.duration);
    }).observe({ type: 'longtask' });
  });

const takeTasks = (page: Page): Promise<number[]> => page.evaluate(() => window.longTasks.splice(0));

const said = (tasks: readonly number[]): string =>
  `${tasks.length} tasks over 50 ms, the longest ${Math.round(Math.max(0, ...tasks))} ms`;

const shownThread = (page: Page): Promise<string> => page.evaluate(() => location.hash.split('/')[4] ?? '');

/** Moves down through the threads by key, and back up. */
async function walk(page: Page): Promise<void> {
  await page.getByRole('listbox', { name: 'Teams and their threads' }).focus();
  for (let step = 0; step < 40; step += 1) await page.keyboard.press('j');
  await expect.poll(() => shownThread(page)).not.toBe('all');
  for (let step = 0; step < 40; step += 1) await page.keyboard.press('k');
  await expect.poll(() => shownThread(page)).toBe('all');
}

const follow = (page: Page) => page.getByRole('button', { name: 'Follow' });

/** Scrolls with the wheel through everything since the team began, and back to the end. */
async function scroll(page: Page): Promise<void> {
  await page.locator('[data-part="team-chat"]').hover();
  for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, -2000);
  await expect(follow(page)).toBeVisible();
  await follow(page).click();
  await expect(page.getByRole('article', { name: /^Result of/ }).last()).toBeVisible();
}

/** A reloaded window has the last messages and loads earlier ones page by page. */
async function readBack(page: Page): Promise<void> {
  const earlier = page.getByRole('button', { name: /^Show earlier/ });
  await page.locator('[data-part="team-chat"]').hover();
  for (let pages = 0; pages < PAGES; pages += 1) {
    await expect(async () => {
      await page.mouse.wheel(0, -900);
      expect(await earlier.isVisible()).toBe(true);
    }).toPass({ intervals: [10], timeout: 120_000 });
    await earlier.click();
    // The reader's position stays; the loaded messages are above it.
    await expect(earlier).not.toBeInViewport();
  }
  await follow(page).click();
}

test('the list and the chat stay usable with 50 members and 900 messages', async ({ bench }, testInfo) => {
  test.setTimeout(900_000);
  const muster = await bench.launch();
  const { page } = muster;
  const members = Array.from({ length: MEMBERS }, (_, index) => ({
    name: name(index),
    agent: 'poster',
    prompt: 'Tell what you see.',
    worktree: false,
  }));
  const started = Date.now();
  const { runId } = await startTeam(bench, muster, {
    scripts: { poster },
    files: {
      '.muster/agents.yaml':
        agentFiles({ poster })['.muster/agents.yaml']?.replace('name:', 'max_sessions: 50, name:') ?? '',
    },
    config: { members, messages_per_minute: 600, max_members: MEMBERS },
  });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}/1/all`);
  const last = page.getByRole('option', { name: new RegExp(name(MEMBERS - 1)) });
  await expect(page.getByRole('option', { name: new RegExp(name(0)) })).toBeVisible();
  await watchTasks(page);
  await walk(page);
  const whileTheyTalk = await takeTasks(page);
  await expect
    .poll(
      async () =>
        (await muster.call('team.list', {})).rows[0]?.members.filter(({ word }) => word === 'idle').length,
      {
        timeout: 600_000,
        intervals: [500],
      },
    )
    .toBe(MEMBERS);
  const took = Date.now() - started;
  const talking = await takeTasks(page);
  const { state } = await muster.call('run.get', { runId });
  expect(teamIn(state).last.message).toBeGreaterThan(MEMBERS * NOTES);
  await walk(page);
  const walking = await takeTasks(page);
  await scroll(page);
  const scrolling = await takeTasks(page);
  await page.reload();
  await watchTasks(page);
  await readBack(page);
  const reading = await takeTasks(page);

  // The window is usable: the last thread opens with its result, and the composer accepts text.
  await page.getByRole('listbox', { name: 'Teams and their threads' }).focus();
  await page.keyboard.press('End');
  await expect(last).toBeVisible();
  await expect(page.getByRole('article', { name: `Result of ${name(MEMBERS - 1)}, round 1` })).toBeVisible();
  await page.keyboard.press('m');
  await page.keyboard.type('half a message');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('half a message');
  const writing = await takeTasks(page);
  const figures = {
    'all messages after': `${Math.round(took / 1000)} s`,
    'j and k while all talk': said(whileTheyTalk),
    'the rest of the talk': said(talking),
    'j and k': said(walking),
    'scrolling the chat': said(scrolling),
    'reading earlier messages': said(reading),
    'writing in a thread': said(writing),
  };
  for (const [type, description] of Object.entries(figures)) testInfo.annotations.push({ type, description });
});
