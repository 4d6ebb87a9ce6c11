const SETTINGS = 'appearance work rules terminals worktrees deliveries notifications keys api system'.split(
  ' ',
);

const place = (name, hash, act) => ({ name, hash: `#/${hash}`, act });
/** Also photographed in a small window. */
const small = (...words) => ({ ...place(...words), small: true });
const press = (keys) => async (page) => {
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  for (const key of keys.split(' ')) await page.keyboard.press(key);
};
const after =
  (...acts) =>
  async (page) => {
    for (const act of acts) await act(page);
  };
const type = (text) => (page) => page.keyboard.type(text);
/** What a step's own form folds away is open. */
const unfolded = async (page) => {
  const panel = page.locator('[data-part="step-panel"]');
  for (const folded of await panel.locator('[aria-expanded="false"]', { hasText: / limits$/ }).all())
    await folded.click();
  await panel.getByLabel('Name', { exact: true }).scrollIntoViewIfNeeded();
};
const pause = (page) => page.waitForTimeout(500);

/** Without a project. */
export const placesOfNothing = [
  small('start', 'inbox'),
  place('start-agents', 'agents'),
  place('start-prompts', 'prompts'),
];

/** While the core does not answer: what is asked for does not come. */
export const placesOfLoading = ['inbox', 'feed', 'runs', 'workflows', 'spend'].map((view) => ({
  ...place(`loading-${view}`, view),
  busy: true,
}));

/** With a core that does not start any more. */
export const placesOfDown = [small('core-down', 'inbox'), place('core-down-system', 'settings/system')];

/** With a project in which nothing was done yet. */
export const placesOfQuiet = [
  ...'inbox home feed search runs workflows sessions spend teams loops questions'
    .split(' ')
    .map((view) => place(`empty-${view}`, view)),
  place('empty-inbox-closed', 'inbox/closed'),
  place('empty-grid', 'sessions/grid'),
  place('empty-bin', 'runs/bin'),
  place('no-such-run', 'run/999'),
  place('no-such-gate', 'gate/999/1'),
  place('no-such-session', 'session/999/1'),
];

const nameOfCase = (kind) => `gate-${kind.replaceAll('_', '-')}`;

const CASES = [
  'permission_flood',
  'terminal_question',
  'team_wrote',
  'team_limit',
  'budget_near',
  'iteration_failed',
];

export const namesOfCases = [
  ...CASES.map(nameOfCase),
  'cases-inbox',
  'cases-sessions',
  'cases-team',
  'cases-loop',
].map((name) => ({ name }));

/** The questions that the large sample has not. */
export async function placesOfCases(call) {
  const { decisions } = await call('attention.list', {});
  const gate = (kind) => decisions.find((one) => one.kind === kind);
  const missing = CASES.filter((kind) => gate(kind) === undefined);
  if (missing.length > 0) console.error(`screens: no gate of the kinds ${missing.join(', ')}`);
  return [
    ...CASES.flatMap((kind) => gate(kind) ?? []).map(({ kind, runId, gateId }) =>
      place(nameOfCase(kind), `gate/${runId}/${gateId}`),
    ),
    place('cases-inbox', 'inbox'),
    place('cases-sessions', 'sessions'),
    place('cases-team', `team/${gate('team_wrote')?.runId}/1/all`),
    place('cases-loop', `loop/${gate('iteration_failed')?.runId}`),
  ];
}

/** The objects of the sample data, by their names. */
async function found(call) {
  const { rows } = await call('run.list', { limit: 200 });
  const run = (name, fits = () => true) => {
    const row = rows.find((one) => one.name === name && fits(one));
    if (row === undefined) throw new Error(`the sample has no run ${name}`);
    return row;
  };
  const isOpen = ({ finishedAt }) => finishedAt === null;
  const isDone = (row) => !isOpen(row);
  const ids = (list, fits) =>
    list.find(({ runId }) => rows.some((row) => row.id === runId && fits(row)))?.runId;
  const teams = (await call('team.list', {})).rows;
  const loops = (await call('loop.list', {})).rows;
  const questions = (await call('rlm.list', {})).rows;
  const projects = await call('project.list', {});
  const team = ids(teams, ({ name }) => name === 'Prompt engineers');
  return {
    id: (name) => run(name).id,
    gates: async (runId) => Object.values((await call('run.get', { runId })).state.gates),
    shipping: run('Ship a feature', isOpen),
    shipped: run('Ship a feature', isDone).id,
    notes: run('Release notes', isDone).id,
    team,
    builders: run('Two builders').id,
    loop: ids(loops, isDone),
    blocked: ids(loops, isOpen),
    question: questions[0].runId,
    failure: (await call('attention.list', {})).failures[0],
    harbour: projects.find(({ name }) => name === 'harbour').id,
    archive: projects.find(({ name }) => name === 'archive').id,
  };
}

const shortened = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replace(/-$/, '');

function inboxPlaces({ shipping, team, failure }) {
  const ship = `gate/${shipping.id}/1`;
  return [
    small('inbox', 'inbox'),
    place('inbox-closed', 'inbox/closed'),
    place('inbox-reject', ship, after(pause, press('r'))),
    place('inbox-reply', `inbox/reply/${team}/1/S1/2`),
    place('inbox-failed', `inbox/failed/${failure.runId}/${failure.at}`),
    // How the list is grouped is kept: it is put back.
    { ...place('inbox-by-run', 'inbox', press('v')), back: press('v') },
    place('inbox-snooze', ship, after(pause, press('s'))),
    small('gate-ship', ship),
  ];
}

async function gatePlaces({ id, gates, team, builders, blocked }) {
  const gate = (name, runName, gateId = 1) => place(`gate-${name}`, `gate/${id(runName)}/${gateId}`);
  const each = async (part, runName) =>
    (await gates(id(runName))).map((one) => gate(`${part}-${shortened(one.title)}`, runName, one.id));
  const merge = (await gates(team)).find(({ kind, status }) => kind === 'merge' && status === 'open');
  return [
    gate('permission', 'Change the answer'),
    gate('permission-command', 'Clean up branches'),
    gate('asked-again', 'Announcement', 2),
    gate('login', 'Translate'),
    gate('limit', 'Sort the charts'),
    gate('command-interrupted', 'Copy the log books'),
    gate('team-stalled', 'Survey'),
    gate('budget', 'Read everything'),
    gate('review', 'Second opinion'),
    gate('interrupted', 'Rewrite the index'),
    ...(merge ? [place('gate-merge', `gate/${team}/${merge.id}`)] : []),
    place('gate-plan', `gate/${builders}/1`),
    place('gate-story', `gate/${blocked}/1`),
    ...(await each('question', 'When does it go out?')),
    ...(await each('evidence', 'Evidence')),
  ];
}

const readingPlaces = ({ team }) => [
  small('home', 'home'),
  small('feed', 'feed'),
  place('feed-open', 'feed', press('j j')),
  place('search', 'search?q=berth'),
  place('search-nothing', 'search?q=zzzz'),
  small('teams', `team/${team}/1/all`),
  place('teams-thread', `team/${team}/1/S1`),
  place('teams-lead', `team/${team}/1/lead`),
  place('teams-new', 'teams/new'),
  small('spend', 'spend'),
  place('spend-by-agent', 'spend?by=agent'),
  place('spend-by-run', 'spend?by=run'),
];

function runPlaces({ id, shipping, shipped, notes, team, loop }) {
  const run = (name, runName, rest = '') => place(name, `run/${id(runName)}${rest}`);
  const gated = `run/${shipping.id}`;
  const done = `run/${shipped}`;
  return [
    place('runs', 'runs'),
    run('run-running', 'Watch the harbour'),
    run('run-terminal', 'Watch the harbour', '/command/1?side=terminal'),
    run('run-running-canvas', 'Watch the harbour', '?show=canvas'),
    small('run-gated', gated),
    small('run-gated-canvas', `${gated}?show=canvas`),
    place('run-canvas-step', `${gated}?show=canvas&step=build`),
    place('run-turn', `${gated}/turn/2`),
    small('run-turn-diff', `${gated}/turn/2?side=diff`),
    place('run-turn-prompt', `${gated}/turn/2?side=prompt`),
    place('run-turn-session', `${gated}/turn/2?side=session`),
    place('run-done', done),
    place('run-done-notes', `run/${notes}`),
    run('run-failed', 'Publish the tide table'),
    run('run-limit', 'Sort the mail'),
    run('run-items', 'Check every page'),
    run('run-items-canvas', 'Check every page', '?show=canvas'),
    run('run-variants', 'Which wording is best'),
    place('run-past', done, press('h ArrowLeft ArrowLeft ArrowLeft')),
    place('run-past-canvas', `${done}?show=canvas`, press('h Shift+ArrowLeft Shift+ArrowLeft')),
    place('run-compare', `${done}?with=${shipping.uid}`),
    place('run-again', done, press('Shift+S')),
    place('run-team', `run/${team}`),
    place('run-loop', `run/${loop}`),
    place('runs-bin', 'runs/bin'),
  ];
}

function workflowPlaces({ harbour, archive }) {
  const workflow = (name, rest = '') =>
    `workflow/${harbour}/${encodeURIComponent(`.muster/workflows/${name}.yaml`)}${rest}`;
  return [
    place('workflows', 'workflows'),
    small('workflow-canvas', workflow('ship')),
    place('workflow-canvas-step', workflow('ship', '?step=ship')),
    place('workflow-canvas-body', workflow('pages')),
    place('workflow-form-task', workflow('ship', '?step=plan'), unfolded),
    place('workflow-form-coding', workflow('ship', '?step=build'), unfolded),
    place('workflow-form-review', workflow('review', '?step=opinion'), unfolded),
    place('workflow-list', workflow('ship', '?show=steps')),
    place('workflow-file', workflow('ship', '?show=text')),
    place('workflow-broken', workflow('broken')),
    place('workflow-broken-file', workflow('broken', '?show=text')),
    place('project-empty', `workflows/${archive}`),
  ];
}

const workPlaces = ({ id, shipping, loop, blocked, question }) => [
  place('sessions', 'sessions'),
  place('session-terminal', `terminal/${id('Watch the harbour')}/c1`),
  small('session-transcript', `session/${shipping.id}/2?show=transcript`),
  place('session-changes', `session/${shipping.id}/2?show=changes`),
  place('sessions-grid', 'sessions/grid'),
  small('loop', `loop/${loop}`),
  place('loop-blocked', `loop/${blocked}`),
  place('loops-new', 'loops/new'),
  place('question', `question/${question}`),
  place('question-iteration', `question/${question}/1/iteration/2`),
  place('questions-new', 'questions/new'),
];

const own = (harbour) => `prompt/${harbour}/${encodeURIComponent('team/iterative-teammate')}`;

const setUpPlaces = ({ harbour }) => [
  place('prompts', 'prompts'),
  place('prompt-own', own(harbour)),
  place('prompt-changes', `${own(harbour)}?show=changes`),
  place('prompt-editor', `${own(harbour)}?show=edit`),
  place('agents', 'agents'),
  place('agents-new', 'agents/new/scripted'),
  place('agents-secrets', 'agents/secrets'),
  ...SETTINGS.map((name) => place(`settings-${name}`, `settings/${name}`)),
];

const floatingPlaces = [
  small('new-work', 'inbox', press('c')),
  small('palette', 'inbox', press('Control+k')),
  place('palette-search', 'inbox', after(press('Control+k'), type('berth'), pause)),
  place('palette-nothing', 'inbox', after(press('Control+k'), type('zzzz'), pause)),
  place('keys', 'inbox', press('?')),
];

/** Every place of the window to photograph, based on the sample data. */
export async function placesOf(call) {
  const sample = await found(call);
  return [
    ...inboxPlaces(sample),
    ...(await gatePlaces(sample)),
    ...readingPlaces(sample),
    ...runPlaces(sample),
    ...workflowPlaces(sample),
    ...workPlaces(sample),
    ...setUpPlaces(sample),
    ...floatingPlaces,
  ];
}
