const SETTINGS = 'appearance work rules terminals worktrees deliveries notifications keys api system'.split(
  ' ',
);

const place = (name, hash, act) => ({ name, hash: `#/${hash}`, act });
const click = (role, name) => (page) => page.getByRole(role, { name }).first().click();
const press = (keys) => async (page) => {
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  for (const key of keys.split(' ')) await page.keyboard.press(key);
};

/** Every place of the window that is photographed, found by what the sample holds. */
export async function placesOf(call) {
  const { rows } = await call('run.list', {});
  const run = (name, fits = () => true) => rows.find((row) => row.name === name && fits(row)).id;
  const build = run('Build the greeting');
  const team = (await call('team.list', {})).rows[0].runId;
  const loop = (await call('loop.list', {})).rows[0].runId;
  const projects = await call('project.list', {});
  const empty = projects.find(({ name }) => name === 'empty')?.id;
  const project = projects.find(({ name }) => name === 'sample');
  return [
    place('inbox', 'inbox'),
    place('inbox-closed', 'inbox/closed'),
    place('inbox-reject', 'inbox', press('r')),
    place('inbox-reply', 'inbox', click('option', /^S1, round 1/)),
    place('inbox-failed', 'inbox', click('option', /Fails/)),
    place('inbox-by-run', 'inbox', press('v')),
    place('gate-permission', `gate/${run('Ask')}/1`),
    place('feed', 'feed'),
    place('feed-open', 'feed', press('j j Enter')),
    place('teams', `team/${team}/1/all`),
    place('teams-thread', `team/${team}/1/S1`),
    place('teams-lead', `team/${team}/1/lead`),
    place('teams-new', 'teams/new'),
    place('runs-done', `run/${run('Release notes', (row) => row.finishedAt !== null)}`),
    place('runs-waiting', `run/${run('Release notes', (row) => row.finishedAt === null)}`),
    place('runs-failed', `run/${run('Fails')}`),
    place('runs-build', `run/${build}`),
    place('runs-turn', `run/${build}/turn/1`),
    place('runs-team', `run/${team}`),
    place('runs-loop', `run/${loop}`),
    place('runs-bin', 'runs/bin'),
    place('workflows', 'workflows'),
    place('workflow', `workflow/${project.id}/${encodeURIComponent('.muster/workflows/release-notes.yaml')}`),
    place(
      'workflow-file',
      `workflow/${project.id}/${encodeURIComponent('.muster/workflows/release-notes.yaml')}`,
      click('tab', 'File'),
    ),
    place('sessions', 'sessions'),
    place('session-transcript', `session/${build}/1?show=transcript`),
    place('session-changes', `session/${build}/1?show=changes`),
    place('session-split', `session/${build}/1?show=split`),
    place('sessions-grid', 'sessions/grid'),
    place('loop', `loop/${loop}`),
    place('loops-new', 'loops/new'),
    place('prompts', 'prompts'),
    place('agents', 'agents'),
    place('agents-new', 'agents/new/scripted'),
    place('agents-secrets', 'agents/secrets'),
    ...SETTINGS.map((name) => place(`settings-${name}`, `settings/${name}`)),
    place('new-work', 'inbox', press('c')),
    place('project-empty', `workflows/${empty}`),
    place('palette', 'inbox', press('Control+k')),
    place('keys', 'inbox', press('?')),
  ];
}
