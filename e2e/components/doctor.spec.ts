import type { Check } from '@areas/doctor/contract/procedures';
import { findingsOfThemes } from '../fixtures/axe';
import { expect, test } from './part';

const check = (id: string, more: Partial<Check>): Check => ({
  id,
  group: 'machine',
  title: id,
  state: 'ok',
  detail: `About ${id}.`,
  command: null,
  agent: null,
  ...more,
});
const git = check('git', { group: 'needed', detail: 'git 2.43 is installed.' });
const none = check('any-agent', {
  group: 'needed',
  title: 'Agents',
  state: 'missing',
  detail: 'No agent is installed on this machine.',
  command: 'npm install --global opencode-ai',
});
const here = check('agent-claude', {
  group: 'agents',
  title: 'Claude Code',
  state: 'unknown',
  detail: 'Installed (2.1.0); only a test shows whether it is logged in.',
  command: 'muster agents test claude',
  agent: 'claude',
});
const ready = check('agent-codex', { group: 'agents', title: 'Codex', agent: 'codex' });
const free = check('agent-goose', {
  group: 'available',
  title: 'goose',
  state: 'missing',
  command: 'get goose',
});
const answered = (...checks: Check[]) => ({ 'doctor.get': { checks } });

test('the doctor shows every state with its command, which is copied by its button', async ({ part }) => {
  await part.answer(answered(git, none, here, free));
  const body = await part.mount('doctor');
  await expect(body.getByRole('status')).toContainText('Something that Muster needs is missing.');
  const row = (name: string) => body.getByRole('listitem').filter({ hasText: name });
  await expect(row('git 2.43')).toContainText('OK');
  await expect(row('No agent is installed')).toContainText('Missing');
  await expect(row('Claude Code')).toContainText('Unknown');
  await row('No agent is installed').getByRole('button', { name: 'Copy the command for Agents' }).click();
  await expect
    .poll(() => part.called('app.copyText'))
    .toContainEqual({ text: 'npm install --global opencode-ai' });
  await body.getByRole('button', { name: 'Agents that can be installed' }).click();
  await expect(row('goose')).toContainText('get goose');
  expect(await findingsOfThemes(part.page, 'doctor', 'main')).toEqual([]);
});

test('a check of everything asks for the sandbox too, and what changed meanwhile is shown', async ({
  part,
}) => {
  await part.answer(answered(git, none));
  const body = await part.mount('doctor');
  await expect(body.getByRole('status')).toContainText('missing');
  await part.answer(answered(git, { ...none, state: 'ok', command: null, detail: 'Ready: Codex.' }, ready));
  await body.getByRole('button', { name: 'Check again' }).click();
  await expect(body.getByRole('status')).toContainText('Everything that Muster needs is on this machine.');
  expect(await part.called('doctor.get')).toContainEqual({ thorough: true });
  await part.answer(answered(git, { ...none, state: 'unknown' }, here));
  await body.getByRole('button', { name: 'Check again' }).click();
  await expect(body.getByRole('status')).toContainText('Not everything');
});

test('the welcome page names the agents of this machine, and appears with one that is installed while it is open', async ({
  part,
}) => {
  await part.answer(answered(git, none));
  const body = await part.mount('agents-here');
  await expect(body.getByRole('status')).toContainText('No agent is ready on this machine.');
  expect(await findingsOfThemes(part.page, 'no agent', 'main')).toEqual([]);
  await part.answer(answered(git, { ...none, state: 'ok' }, ready));
  await expect(async () => {
    await part.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(body.getByRole('listitem')).toContainText('Codex', { timeout: 100 });
  }).toPass();
  await expect(body.getByText('No agent is ready')).toHaveCount(0);
  expect(await findingsOfThemes(part.page, 'agents here', 'main')).toEqual([]);
});

const row = (source: string, profile: object) => ({
  profile: {
    env: {},
    secrets: [],
    permissions: 'ask',
    read_only: false,
    max_sessions: 4,
    silence_minutes: null,
    ...profile,
  },
  source,
  projectId: null,
  trouble: null,
});
const builtin = row('builtin', { id: 'scripted', name: 'Rehearsal', kind: 'scripted', script: 'default' });
const claude = row('detected', {
  id: 'claude',
  name: 'Claude Code',
  kind: 'acp',
  command: 'claude-agent-acp',
  args: [],
  mcp_servers: [],
});

test('without a real agent none is chosen, the rehearsal is offered by that name, and says what it is', async ({
  part,
}) => {
  await part.answer(answered(git, none));
  const body = await part.mount('agent-select', { agents: [builtin] });
  const select = body.getByRole('combobox', { name: 'Agent' });
  await expect(select).toHaveValue('');
  await expect(body.getByRole('button', { name: 'Open the doctor' })).toBeVisible();
  await expect(select.locator('optgroup')).toHaveAttribute('label', 'Rehearsal');
  expect(await findingsOfThemes(part.page, 'no agent to choose', 'main')).toEqual([]);
  await select.selectOption({ label: 'Rehearsal' });
  await expect(body).toContainText('this agent follows a script, and no model answers');
});

test('an agent that lacks its login says so where it is chosen', async ({ part }) => {
  const out = { ...here, state: 'missing' as const, detail: 'Installed, but not logged in.' };
  await part.answer(answered(git, { ...none, state: 'ok' }, out));
  const body = await part.mount('agent-select', { agents: [builtin, claude] });
  await expect(body.getByRole('combobox', { name: 'Agent' })).toHaveValue('claude');
  await expect(body).toContainText('Installed, but not logged in.');
});
