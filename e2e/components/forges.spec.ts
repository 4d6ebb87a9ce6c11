import { findingsOfThemes } from '../fixtures/axe';
import { expect, type Part, test } from './part';

const HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b> \u202etxet ![x](http://evil.test/x.png)';
const row = {
  ...{ number: 7, title: 'The till rounds', author: 'ana', labels: ['bug'], state: 'open', comments: 1 },
  ...{ updatedAt: 1, url: 'https://forge.test/acme/shop/issues/7' },
};
const comment = { id: '1', author: 'ben', body: HOSTILE, path: null, line: null, url: '', at: 1 };
const issue = {
  ...row,
  ...{ body: HOSTILE, discussion: [comment], moreComments: true, branch: 'muster/7-till', shown: 'x' },
};
const forge = {
  ...{
    kind: 'github',
    host: 'forge.test',
    repository: 'acme/shop',
    remote: 'origin',
    login: 'gh',
    problem: null,
  },
};
const unreachable = {
  code: 'forge.unreachable',
  message: 'forge.test cannot be reached: no route',
  mend: 'Check the network and try again.',
};

/** The page of issues, with the answers of a core that found everything. */
async function issues(part: Part, answers: Record<string, unknown> = {}) {
  for (const name of ['forge.get', 'issue.list', 'issue.get', 'pull.preview']) await part.refuse(name, null);
  await part.answer({
    'project.list': [{ id: 1, path: '/shop', name: 'shop', addedAt: 0, trouble: null }],
    'run.list': { rows: [], more: false },
    'agent.list': [],
    'forge.get': forge,
    'issue.list': { rows: [row], more: false },
    'issue.get': issue,
    ...answers,
  });
  await part.page.evaluate(() => {
    location.hash = '#/issues';
  });
  return part.mount('issues');
}

const clean = async (part: Part, place: string) =>
  expect(await findingsOfThemes(part.page, place, 'main')).toEqual([]);

test('the text of an issue is shown as text, and nothing that it names is loaded', async ({ part }) => {
  const body = await issues(part);
  const page = body.getByRole('article', { name: 'Issue 7' });
  await expect(page.getByText('<img src=x onerror=', { exact: false })).toHaveCount(2);
  await expect(page.getByText('⟨U+202E⟩', { exact: false }).first()).toBeVisible();
  expect(await page.locator('img, b').count()).toBe(0);
  await expect(page.getByText('No agent can start here yet.')).toBeVisible();
  await clean(part, 'an issue');
});

test('a project without a forge, a missing login and a forge that is away each say what helps', async ({
  part,
}) => {
  const body = await issues(part);
  await part.refuse('forge.get', {
    code: 'forge.none',
    message: 'The project has no git remote on a forge.',
    mend: 'add one with `git remote add origin ADDRESS`',
  });
  await body.getByRole('button', { name: /^Read again/ }).click();
  await expect(body.getByText('git remote add origin ADDRESS')).toBeVisible();
  await clean(part, 'no forge');

  const problem = { code: 'forge.login', message: 'There is no token.', mend: 'run `gh auth login`' };
  await part.refuse('forge.get', null);
  await part.answer({ 'forge.get': { ...forge, login: null, problem } });
  await body.getByRole('button', { name: /^Look again/ }).click();
  await expect(body.getByText('gh auth login')).toBeVisible();
  await expect(body.getByRole('button', { name: 'Open secrets' })).toBeVisible();
  await clean(part, 'no login');

  await part.answer({ 'forge.get': forge });
  await part.refuse('issue.list', unreachable);
  await body.getByRole('button', { name: /^Look again/ }).click();
  await expect(body.getByText('Check the network and try again.')).toBeVisible();
  await part.refuse('issue.list', null);
  await body.getByRole('button', { name: /^Read again/ }).click();
  await expect(body.getByRole('option', { name: /The till rounds/ })).toBeVisible();
});

test('a list of issues that is read, an empty one and an issue that is gone are told apart', async ({
  part,
}) => {
  await issues(part);
  const letGo = await part.hold('issue.list');
  let body = await part.mount('issues');
  await expect(body.getByText('Reading issues')).toBeVisible();
  await clean(part, 'issues that are read');
  await letGo();
  await expect(body.getByRole('option', { name: /The till rounds/ })).toBeVisible();

  body = await issues(part, { 'issue.list': { rows: [], more: false } });
  await expect(body.getByRole('heading', { name: 'No open issues' })).toBeVisible();
  await clean(part, 'no issues');

  body = await issues(part);
  await part.refuse('issue.get', { code: 'not_found', message: 'forge.test has no such issue' });
  await part.page.evaluate(() => {
    location.hash = '#/issue/1/99';
  });
  await expect(body.getByRole('heading', { name: 'There is no such issue' })).toBeVisible();
  await part.refuse('issue.get', null);
  await body.getByRole('button', { name: 'Read again', exact: true }).last().click();
  await expect(body.getByRole('article', { name: 'Issue 7' })).toBeVisible();
});

const check = { id: '1', name: 'unit', state: 'failed', url: null, log: `${HOSTILE}\nexpected 1` };
const view = {
  ...{
    number: 101,
    url: 'https://forge.test/pull/101',
    title: 'Till',
    state: 'open',
    draft: false,
    base: 'main',
  },
  ...{ head: { branch: 'muster/7', commit: 'a'.repeat(40) }, conflict: 'none', blocked: null, files: 1 },
  ...{ checks: [check], moreComments: false, methods: ['squash', 'merge'] },
  reviews: [{ id: '1', author: 'cem', verdict: 'changes_requested', body: HOSTILE, at: 1 }],
  comments: [{ ...comment, path: 'src/till.ts', line: 4 }],
};
const record = {
  ...{
    title: 'Till',
    body: 'Done.',
    draft: false,
    base: 'main',
    reviewers: [],
    labels: [],
    key: 'k',
    runId: 1,
  },
  ...{
    runName: 'Till',
    projectName: 'shop',
    projectPath: '/shop',
    host: 'forge.test',
    repository: 'acme/shop',
  },
  ...{ headRepository: 'acme/shop', branch: 'muster/7', result: 'r', commit: 'r', remote: 'origin' },
  ...{ asked: null, merge: null, error: null, number: 101, url: view.url, state: 'open', at: 1, view },
  ...{ readAt: 1, handled: [], fix: null },
};

test('a pull request shows failed checks, reviews and comments as text, and offers to fix them', async ({
  part,
}) => {
  const body = await part.mount('pull', { record, commit: 'r' });
  await expect(body.getByRole('region', { name: 'End of the log of unit' })).toContainText('expected 1');
  expect(await body.locator('img, b').count()).toBe(0);
  await expect(body.getByRole('button', { name: /^Fix/ }).first()).toBeEnabled();
  await expect(body.getByRole('button', { name: /^Update/ })).toHaveCount(0);
  await clean(part, 'a pull request');
  await part.answer({ 'pull.fix': record });
  await part.page.keyboard.press('Shift+F');
  await expect.poll(() => part.called('pull.fix')).toMatchObject([{ runId: 1, rounds: 0 }]);
});

test('a pull request that could not be sent, one that is fixed in rounds and a merged one offer only what fits', async ({
  part,
}) => {
  const failed = { ...record, asked: 'push', error: unreachable };
  let body = await part.mount('pull', { record: failed, commit: 'r' });
  await expect(body.getByRole('button', { name: 'Send again' })).toBeVisible();
  await clean(part, 'not sent');
  const fix = { round: 1, of: 3, key: 'k', sent: true, at: 1, ended: null };
  body = await part.mount('pull', { record: { ...record, fix }, commit: null });
  await expect(body.getByText('Fixing, round 1 of 3.', { exact: false })).toBeVisible();
  await expect(body.getByRole('button', { name: /^(Fix|Merge|Update)/ })).toHaveCount(0);
  await expect(body.getByRole('button', { name: /^Stop fixing/ })).toBeVisible();
  const merged = { ...record, state: 'merged', view: { ...view, state: 'merged' } };
  body = await part.mount('pull', { record: merged, commit: 'r' });
  await expect(body.getByText('Merged', { exact: true })).toBeVisible();
  await expect(body.getByRole('button', { name: /^(Fix|Merge|Update)/ })).toHaveCount(0);
  await clean(part, 'merged');
});

test('a merge is asked for with the commit and the way, and sends what was shown', async ({ part }) => {
  const green = { ...record, view: { ...view, checks: [], reviews: [], comments: [] } };
  const body = await part.mount('pull', { record: green, commit: 'r' });
  await body.getByRole('button', { name: /^Merge/ }).click();
  const dialog = part.page.getByRole('dialog', { name: 'Merge acme/shop#101' });
  await expect(dialog).toContainText('a'.repeat(12));
  await dialog.getByLabel('How').selectOption('merge');
  await clean(part, 'a merge');
  await part.answer({ 'pull.merge': { ...green, state: 'merged' } });
  await dialog.getByRole('button', { name: /^Merge into main/ }).click();
  await expect(dialog).toHaveCount(0);
  expect(await part.called('pull.merge')).toMatchObject([
    { runId: 1, method: 'merge', commit: 'a'.repeat(40) },
  ]);
});

test('a new pull request is shown whole before it is sent, and is sent only as shown', async ({ part }) => {
  const preview = {
    ...{ title: 'Till', body: 'Done.', draft: false, base: 'main', reviewers: [], labels: [], runId: 1 },
    ...{ repository: 'acme/shop', host: 'forge.test', files: 1, issue: 7, updates: null, shown: 'digest' },
    head: { repository: 'acme/shop', branch: 'muster/7', commit: 'a'.repeat(40) },
  };
  await part.refuse('pull.preview', { code: 'forge.none', message: 'There is no forge.' });
  const body = await part.mount('pull-form', { runId: 1 });
  await expect(body.getByText('There is no forge.')).toBeVisible();
  await part.refuse('pull.preview', null);
  await part.answer({ 'pull.preview': preview });
  await body.getByRole('button', { name: 'Look again' }).click();
  const title = body.getByLabel('Title');
  await expect(title).toHaveValue('Till');
  await title.fill('');
  await expect(body.getByRole('button', { name: /^Show what is sent/ })).toBeDisabled();
  await expect(body.getByText('Write one to 256 characters.')).toBeVisible();
  await title.fill('Till');
  await clean(part, 'a new pull request');
  await title.press('ControlOrMeta+Enter');
  await expect(body.getByRole('region', { name: 'All that is sent' })).toContainText('branch muster/7');
  await clean(part, 'what is sent');
  await part.refuse('pull.open', { code: 'conflict', message: 'What would be sent has changed.' });
  const send = body.getByRole('button', { name: /^Open the pull request/ });
  await send.click();
  await expect(body.getByText('What would be sent has changed.')).toBeVisible();
  await expect(send).toBeDisabled();
  expect(await part.called('pull.open')).toMatchObject([{ shown: 'digest', text: { title: 'Till' } }]);
});
