import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeliveryTarget } from '@areas/deliveries/contract/target';
import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Told
steps:
  - id: write
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Begin., re_prompts: [Go on., End it.]}
  - id: check
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Look at it.}
cables:
  - {from: write.data_out, to: check.data_in}
`;
const script = `match:
  - when: Look at it
    reply: Looked at, and found good.
  - when: End it
    reply: The end.
  - when: Go on
    reply: The middle.
default:
  do: [{write: {path: made.txt, content: Made.}}]
  text: The beginning.
  usage: {input_tokens: 10, output_tokens: 5, cost_usd: 0.02}
`;
const first = 'Iteration 1/3\nStory: write - write\nResult: completed\nCommit: none\nSummary: The beginning.';

async function show(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

const updates = (page: Page) => page.getByRole('feed', { name: 'Updates' }).getByRole('article');

const detail = (page: Page) => page.getByRole('article', { name: 'Update', exact: true });

interface Hook {
  readonly url: string;
  readonly got: { readonly key: string; readonly text: string; readonly answered: boolean }[];
  /** Its answer from now on; null leaves the caller without an answer. */
  says: number | null;
  close(): void;
}

async function webhook(says: number | null): Promise<Hook> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { key, text } = JSON.parse(body) as { key: string; text: string };
    expect(request.headers['idempotency-key']).toBe(key);
    hook.got.push({ key, text, answered: hook.says !== null });
    if (hook.says !== null) response.writeHead(hook.says).end('said');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    got: [],
    says,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return hook;
}

async function sendTo(muster: Muster, url: string): Promise<void> {
  const target: DeliveryTarget = {
    kind: 'webhook',
    id: 'hook',
    name: 'My hook',
    enabled: true,
    filter: 'everything',
    sends: ['updates'],
    answers: 'none',
    url,
    header: 'Authorization',
    secret: null,
  };
  await muster.call('settings.set', { settings: { deliveries: { targets: [target], giveUpDays: 7 } } });
}

test('the feed has unread marks, filters, copy as sent and a jump to the turn, all of it again after a restart', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  const rail = (name: string) => page.getByRole('link', { name, exact: true });
  await expect(rail('Feed, 4 unread')).toBeVisible();
  await show(page, '#/feed');
  await expect(updates(page)).toHaveCount(4);
  await expect(updates(page).first()).toContainText('check');
  await expect(page.getByRole('img', { name: 'Unread' })).toHaveCount(4);

  await page.getByLabel('Search the updates').fill('beginning');
  await expect(updates(page)).toHaveCount(1);
  await page.getByLabel('Search the updates').fill('');
  await page.getByLabel('Agent or step').selectOption('step:write');
  await expect(updates(page)).toHaveCount(3);
  await page.getByLabel('Agent or step').selectOption('agent:worker');
  await expect(updates(page)).toHaveCount(4);
  await page.getByLabel('Result').selectOption('failed');
  await expect(page.getByText('No matching updates')).toBeVisible();
  await page.getByRole('button', { name: 'Show all updates' }).click();
  await expect(updates(page)).toHaveCount(4);

  // An opened update is marked as read, and is shown beside the list with its prompt, answer and cost.
  await updates(page).nth(3).click();
  await expect(detail(page).locator('[data-part="update-line"]')).toHaveCount(5);
  await expect(detail(page).getByRole('region', { name: 'Prompt' })).toContainText('Begin.');
  await expect(detail(page).getByRole('region', { name: 'Answer' })).toContainText('The beginning.');
  await expect(detail(page).getByRole('region', { name: 'Changes' })).toContainText('made.txt');
  await expect(detail(page).getByRole('region', { name: 'Cost' })).toContainText('$0.02');
  await expect(page.getByRole('img', { name: 'Unread' })).toHaveCount(3);
  await expect(rail('Feed, 3 unread')).toBeVisible();
  await page.keyboard.press('y');
  await expect.poll(() => muster.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(first);
  await page.keyboard.press('m');
  await expect(page.getByRole('img', { name: 'Unread' })).toHaveCount(0);
  await expect(rail('Feed')).toBeVisible();

  const again = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, again.runId, ({ row }) => row.status === 'succeeded');
  await expect(page.getByText('New since last time')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Unread' })).toHaveCount(4);
  await updates(page).nth(2).click();
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: /^Only / })).toBeVisible();
  await expect(updates(page)).toHaveCount(4);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`#/run/${again.runId}/turn/\\d+`));
  await page.goBack();
  await expect(detail(page)).toContainText('Iteration2/3');
  await expect(updates(page)).toHaveCount(4);
  await muster.close();

  const later = await bench.launch();
  await expect(later.page.getByRole('link', { name: 'Feed, 3 unread' })).toBeVisible();
  const [newest] = (await later.call('feed.list', { limit: 1 })).rows;
  await show(later.page, `#/update/${(newest?.id ?? 0) - 1}`);
  await expect(updates(later.page).first()).toBeVisible();
});

test('a webhook that fails at first gets each update in order in the end, and its state is shown', async ({
  bench,
}) => {
  const hook = await webhook(500);
  const muster = await bench.launch();
  const { page } = muster;
  try {
    await show(page, '#/settings/deliveries');
    await page.getByRole('button', { name: /^New target/ }).click();
    const form = page.getByRole('region', { name: 'New target' });
    await form.getByLabel('Address').fill('http://far.example/');
    await form.getByRole('button', { name: /^Add the target/ }).click();
    await expect(form.getByText('an address with https://')).toBeVisible();
    await form.getByLabel('Address').fill(hook.url);
    await form.getByLabel('Name').fill('My hook');
    await form.getByLabel('Name').press('Control+Enter');
    const row = page.getByRole('listitem', { name: 'Target My hook' });
    await expect(row).toContainText('nothing delivered yet');
    await row.getByRole('button', { name: 'Send a test' }).click();
    await expect(page.getByText('The webhook answered HTTP 500: said.').first()).toBeVisible();
    expect(hook.got.splice(0)).toMatchObject([{ text: expect.stringContaining('A test of this target') }]);

    const project = await bench.project(muster, scripted(workflow, script));
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
    await expect(row).toContainText('4 queued');
    await expect(row).toContainText(/HTTP 500: said.*Waiting .*next/);
    expect(new Set(hook.got.map(({ key }) => key)).size).toBe(1);
    // Another setting is another matter.
    await muster.call('settings.set', { settings: { theme: 'dark' } });
    await expect(row).toContainText('4 queued');
    hook.says = 200;
    const failed = hook.got.length;
    await row.getByRole('button', { name: 'Try now: My hook' }).click();
    await expect(row).toContainText('last delivered');
    await expect(row).not.toContainText('queued');
    const sent = (await muster.call('feed.list', { runId })).rows.map(({ text }) => text).reverse();
    expect(hook.got.slice(failed).map(({ text }) => text)).toEqual(sent);

    await show(page, '#/feed');
    await updates(page).nth(3).click();
    const delivery = detail(page).getByRole('list', { name: 'Deliveries' });
    await expect(delivery).toContainText(/Delivered to\s*My hook.*tries, HTTP 200/);
  } finally {
    hook.close();
  }
});

test('an update whose delivery a kill -9 of the core cut off is sent again with the same key', async ({
  bench,
}) => {
  const hook = await webhook(null);
  const muster = await bench.launch();
  try {
    await sendTo(muster, hook.url);
    const project = await bench.project(muster, scripted(workflow, script));
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
    await expect.poll(() => hook.got.length).toBe(1);
    process.kill(await muster.corePid(), 'SIGKILL');
    hook.says = 200;
    await expect.poll(() => hook.got.length).toBe(5);
    const [unanswered, ...rest] = hook.got;
    expect(unanswered).toMatchObject({ answered: false, text: first });
    expect(rest[0]?.key).toBe(unanswered?.key);
    const sent = (await muster.call('feed.list', { runId })).rows.map(({ text }) => text).reverse();
    expect(rest.map(({ text }) => text)).toEqual(sent);
    await expect
      .poll(async () => (await muster.call('delivery.list', {})).rows.map(({ state }) => state))
      .toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
  } finally {
    hook.close();
  }
});

test('updates that a webhook refuses are reported once, dismissed at once, and tried again by key', async ({
  bench,
}) => {
  const hook = await webhook(413);
  const muster = await bench.launch();
  const { page } = muster;
  try {
    await sendTo(muster, hook.url);
    await page.reload();
    const project = await bench.project(muster, scripted(workflow, script));
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
    const givenUp = async () =>
      (await muster.call('delivery.list', { state: 'given_up' })).rows.filter((row) => row.runId === runId);
    await expect.poll(async () => (await givenUp()).length).toBe(4);
    const banner = page.locator('[data-part="banners"]').getByText('could not be delivered to My hook');
    await expect(banner).toHaveCount(1);
    await page.locator('[data-part="banners"]').getByRole('button', { name: 'Dismiss' }).click();
    await expect(banner).toHaveCount(0);
    hook.says = 200;
    await show(page, '#/feed');
    await updates(page).first().click();
    await detail(page).getByRole('button', { name: 'Try My hook now' }).focus();
    await page.keyboard.press('Enter');
    await expect(detail(page)).toContainText('Delivered to');
    expect(await page.evaluate(() => location.hash)).toMatch(/^#\/feed/);
  } finally {
    hook.close();
  }
});
