import { Cli } from '../fixtures/cli';
import { expect, test } from '../fixtures/test';

test('a setting that is changed elsewhere is shown in the open window, and a draft there stays', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const show = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  const cli = new Cli(bench.dataDir);
  const said = async (...words: string[]) => {
    const { code, out, err } = await cli.run(...words);
    expect(code, out + err).toBe(0);
  };

  await show('#/settings/api');
  const port = page.getByRole('textbox', { name: 'Port' });
  await port.fill('77');
  await said('api', '--on');
  await expect(page.getByRole('checkbox', { name: 'Enable the HTTP API' })).toBeChecked();
  await expect(port).toHaveValue('77');
  await expect(port).toBeFocused();
  await port.press('Escape');

  await show('#/settings/rules');
  await expect(page.getByText('No rules.', { exact: false })).toBeVisible();
  await said('rules', 'add', '--allow', '--command', 'npm test', '--everywhere');
  await expect(page.getByRole('listitem', { name: /npm test/ })).toBeVisible();

  const profile = (name: string, args: string[] = []) =>
    ({ id: 'mine', name, kind: 'cli', command: 'cat', args }) as const;
  await muster.call('agent.save', { profile: profile('Mine') });
  await show('#/agent/mine');
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toHaveValue('Mine');
  await name.fill('Mine, but bett');
  await muster.call('agent.save', { profile: profile('Mine', ['--quick']) });
  await expect(page.getByRole('textbox', { name: 'Arguments' })).toHaveValue('--quick');
  await expect(name).toBeFocused();
  await page.keyboard.type('er');
  await expect(name).toHaveValue('Mine, but better');
});
