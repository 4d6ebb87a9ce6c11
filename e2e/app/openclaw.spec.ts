import { FakeGateway } from '../../src/main/agents/openclaw/testing/fake-gateway';
import { expect, test } from '../fixtures/test';

test('a profile of an OpenClaw gateway is filled in, tried and saved', async ({ bench }) => {
  const gateway = await FakeGateway.start();
  try {
    const muster = await bench.launch();
    await muster.page.evaluate(() => {
      location.hash = '#/agents/new/gateway';
    });
    const form = muster.page.getByRole('article', { name: /^Profile/ });
    await form.getByLabel('Id', { exact: true }).fill('claw');
    await form.getByLabel('Name', { exact: true }).fill('Claw');
    await form.getByLabel('API', { exact: true }).selectOption('openclaw');
    await form.getByLabel('Address').fill('http://127.0.0.1:1');
    await form.getByRole('button', { name: 'Test' }).click();
    await expect(form).toContainText('A gateway has an address with ws:// or wss://');
    await form.getByLabel('Address').fill(gateway.url);
    await form.getByLabel('OpenClaw: session key').fill('night');
    await form.getByRole('button', { name: 'Test' }).click();
    await expect(form).toContainText('You said: Reply with the single word ready.');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(muster.page.getByRole('article', { name: 'Profile Claw' })).toBeVisible();
    const saved = (await muster.call('agent.list', {})).find(({ profile }) => profile.id === 'claw');
    expect(saved?.profile).toMatchObject({ api: 'openclaw', base_url: gateway.url, session_key: 'night' });
    expect(gateway.requests.find(({ method }) => method === 'agent')?.params.sessionKey).toMatch(
      /^agent:main:night:/,
    );
    expect(gateway.faults).toEqual([]);
  } finally {
    await gateway.close();
  }
});
