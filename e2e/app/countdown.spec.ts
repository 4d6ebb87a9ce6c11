/** What goes on by itself says when, in the same words in every place. */

import { Cli } from '../fixtures/cli';
import { pressBoth } from '../fixtures/press-both';
import { expect, scripted, test } from '../fixtures/test';

const LIMITED =
  'name: Limited\nsteps:\n  - {id: work, type: step.agent_task, config: {acp_profile_id: worker, instruction: Begin.}}\n';
const RETRIES =
  'name: Retries\nsteps:\n  - {id: try, type: step.command, retry: {max_attempts: 2, delay_seconds: 240, on: all}, config: {script: exit 3, terminal: false}}\n';

test('a run at a provider limit and one before its next attempt count down alike in the lists, on their pages and on the command line', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { id: projectId } = await bench.project(muster, {
    ...scripted(LIMITED, 'default: { error: { limit: { resets_in_seconds: 240 } } }\n'),
    '.muster/workflows/retries.yaml': RETRIES,
  });
  const uids: string[] = [];
  for (const name of ['w', 'retries']) {
    const { runId } = await muster.call('run.start', { projectId, file: `.muster/workflows/${name}.yaml` });
    uids.push((await muster.call('run.get', { runId })).row.uid);
  }
  const waits = async () => (await muster.call('attention.list', {})).waits.length;
  await expect.poll(waits).toBe(2);

  await pressBoth(page, 'g', 'r');
  for (const name of ['Limited', 'Retries'])
    await expect(page.getByRole('option', { name: new RegExp(`${name}.*goes on in 4 min`) })).toBeVisible();
  for (const uid of uids) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/run/${uid}`);
    await expect(
      page.getByRole('article', { name: /^Run/ }).getByRole('banner').or(page.locator('.detail-head')),
    ).toContainText('goes on in 4 min');
  }
  await pressBoth(page, 'g', 'i');
  const list = page.getByRole('listbox').first();
  await expect(list.getByRole('option', { name: /provider’s limit ends.*goes on in 4 min/ })).toBeVisible();
  await expect(list.getByRole('option', { name: /is tried again.*goes on in 4 min/ })).toBeVisible();

  const cli = new Cli(bench.dataDir);
  for (const words of ['inbox', 'list'])
    expect((await cli.run(words)).out.match(/goes on in 4 min/g)).toHaveLength(2);
  expect((await cli.run('status')).out).toMatch(/next +in 4 min, .*(?:limit|tried again)/);
  await cli.end();
});
