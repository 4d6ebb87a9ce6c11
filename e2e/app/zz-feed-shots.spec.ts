import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scripted, test, WORKFLOW, expect } from '../fixtures/test';

const workflow = `name: Notes on the release
steps:
  - id: write
    type: step.agent_task
    title: Write the notes
    config: {acp_profile_id: worker, instruction: Begin., re_prompts: [Go on., End it.]}
  - id: check
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Look at it.}
cables:
  - {from: write.data_out, to: check.data_in}
`;
const script = `match:
  - when: Look at it
    reply: Looked at it, and found it good. Every section has a heading.
  - when: End it
    reply: "The end.\\nSecond line of what was done.\\nThird line."
  - when: Go on
    reply: The middle part is written, with the table of changes and three links that were missing in the draft of yesterday.
default: The beginning.
`;

test('shots', async ({ bench }) => {
  let status = 503;
  const server = createServer((_request, response) => void response.writeHead(status).end('maintenance'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const muster = await bench.launch();
  const { page } = muster;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  await muster.call('settings.set', {
    settings: {
      deliveries: {
        giveUpDays: 7,
        targets: [
          { kind: 'webhook', id: 'hook', name: 'Team chat', enabled: true, filter: 'everything', url, header: 'Authorization', secret: null },
          { kind: 'command', id: 'cmd', name: 'Desk lamp', enabled: true, filter: 'everything', command: 'cat >/dev/null; echo blinked', seconds: 30 },
          { kind: 'openclaw', id: 'claw', name: 'OpenClaw main', enabled: false, filter: 'trouble', profile: 'claw' },
        ],
      },
    },
  });
  const project = await bench.project(muster, scripted(workflow, script));
  for (let i = 0; i < 3; i += 1) {
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
    if (i === 1) await muster.call('feed.markRead', { upTo: (await muster.call('feed.list', { limit: 1 })).rows[0]?.id ?? 0 });
  }
  const go = (hash: string) => page.evaluate((to) => { location.hash = to; }, hash);
  for (const theme of ['light', 'dark'] as const) {
    await muster.call('settings.set', { settings: { theme } });
    await page.reload();
    await go('#/feed');
    await expect(page.getByRole('listbox', { name: 'Updates' }).getByRole('option').nth(1)).toBeVisible();
    await page.getByRole('listbox', { name: 'Updates' }).getByRole('option').nth(1).click();
    await expect(page.getByRole('list', { name: 'Deliveries' })).toBeVisible();
    await page.screenshot({ path: `/tmp/feed-${theme}.png` });
    await go('#/settings/deliveries');
    await expect(page.getByRole('listitem', { name: 'Target Team chat' })).toBeVisible();
    if (theme === 'dark') await page.getByRole('button', { name: 'Change Team chat' }).click();
    await page.screenshot({ path: `/tmp/deliveries-${theme}.png` });
  }
  status = 200;
  server.close();
});
