import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/test';

test('an unsaved profile is there again after another view, until it is discarded', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const show = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  await show('#/agents/new/cli');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('My agent');
  await show('#/settings/system');
  await expect(page.getByRole('heading', { name: 'System and data' })).toBeVisible();
  await show('#/agents/new/cli');
  await expect(name).toHaveValue('My agent');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(name).toHaveValue('');
});

test('text entered right after Save stays, and an operator who has gone elsewhere by then is not fetched back', async ({
  bench,
}) => {
  // A program that is asked for its version holds the look for agents up.
  const bin = join(bench.dataDir, 'bin');
  const held = join(bench.dataDir, 'held');
  mkdirSync(bin);
  const holding = `#!/bin/sh\nwhile [ -e "${held}" ]; do sleep 0.05; done\necho 1.0\n`;
  writeFileSync(join(bin, 'aider'), holding, { mode: 0o755 });
  const muster = await bench.launch({ env: { PATH: `${bin}:${process.env.PATH}` } });
  const { page } = muster;
  const show = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  await muster.call('agent.save', { profile: { id: 'mine', name: 'Mine', kind: 'cli', command: 'cat' } });
  await show('#/agent/mine');
  const name = page.getByRole('textbox', { name: 'Name' });
  const words = page.getByRole('textbox', { name: 'Arguments' });
  await expect(name).toHaveValue('Mine');
  await muster.call('agent.detect', {});
  writeFileSync(held, '');
  await name.fill('Mine, but better');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Mine, but better' })).toBeVisible();
  await words.fill('--quick');
  await show('#/settings/system');
  await expect(page.getByRole('heading', { name: 'System and data' })).toBeVisible();
  rmSync(held);
  await muster.call('agent.detect', {});
  await expect(page.getByRole('heading', { name: 'System and data' })).toBeVisible();
  await show('#/agent/mine');
  await expect(name).toHaveValue('Mine, but better');
  await expect(words).toHaveValue('--quick');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Unsaved changes.')).toBeHidden();
  await expect(words).toHaveValue('--quick');
});

test('agents and keys are found by a few letters', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  for (const name of ['Blue', 'Green'])
    await muster.call('agent.save', {
      profile: { id: name.toLowerCase(), name, kind: 'cli', command: 'cat' },
    });
  const show = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  await show('#/agents');
  await expect(page.getByRole('option', { name: /Blue/ })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the agents' }).fill('gree');
  await expect(page.getByRole('option', { name: /Green/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /Blue/ })).toBeHidden();

  await show('#/settings/keys');
  await page.getByRole('searchbox', { name: 'Search the keys' }).fill('leave the term');
  await expect(page.getByText('Leave the terminal', { exact: true })).toBeVisible();
  await expect(page.getByText('New work: one prompt for one agent')).toBeHidden();
});
