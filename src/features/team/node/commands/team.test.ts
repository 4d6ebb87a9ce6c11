import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { double } from '@contract/testing/double';
import { FakeCore } from '@main/api/testing/fake-core';
import { runRow } from '@main/api/testing/run-row';
import { EXIT } from '@main/cli/exit';
import { styleFor } from '@main/cli/output/style';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { MergeState, TeamMessage } from '../../contract/state';
import { member, openTeam, type TeamHarness } from '../../core/testing/team';
import { messageLines } from './text';

let team: TeamHarness;
beforeAll(async () => {
  team = await openTeam({ members: [member('ana', { iterative: true })] });
});

const row = runRow({ name: 'Writers' });

const tried: MergeState = {
  id: 4,
  member: 'ana',
  status: 'rehearsed',
  choices: {},
  again: 0,
  error: null,
  by: 'muster',
  rehearsal: {
    target: 'main',
    targetCommit: 'c0ffee',
    files: 1,
    conflicts: [{ path: 'a.md', ours: 'a', theirs: 'b', base: '' }],
  },
};

const told = () => ({ text: 'Done.' });
const spoken = () => ({ asks: [], text: 'Done.' });

/** Runs the command and returns its exit code and its effects in the team. */
interface Given {
  readonly isNew?: boolean;
  /** The team of a run that the command itself hosts. */
  readonly hosted?: TeamHarness;
}

async function program(
  args: readonly string[],
  merges: Record<number, MergeState> = {},
  { isNew = false, hosted }: Given = {},
) {
  const state = team.state();
  const core = new FakeCore({
    'run.find': () => row,
    'run.get': () => ({ row, state: { ...state, teams: { 1: { ...team.team, merges } } } }),
    'project.add': ({ path }: { path: string }) => ({
      id: 7,
      path,
      name: 'p',
      addedAt: 1,
      trouble: null,
      isNew,
    }),
    'project.remove': () => ({}),
    'team.templates': () => [
      {
        projectId: 7,
        projectName: 'p',
        file: '.muster/teams/writers.yaml',
        name: 'Writers',
        description: null,
        members: [],
        config: {},
        problems: [],
      },
    ],
    'team.start': () => ({ runId: 1 }),
    'run.results': () => [],
    'run.events': ({ afterSeq }: { afterSeq: number }) =>
      hosted?.log.read(1).filter(({ seq }) => seq > afterSeq) ?? [],
    'team.saveTemplate': () => ({ file: '.muster/teams/mine.yaml' }),
    'team.interrupt': spoken,
    'team.changes': told,
    'team.spawn': told,
    'team.restore': told,
    'team.merge': told,
    'team.mergeConfirm': told,
    'team.mergeDecline': told,
    'team.edit': () => ({}),
    'team.withdraw': () => ({}),
    'team.taskAdd': told,
    'team.taskComplete': told,
    'team.taskFree': told,
  });
  const link = new FakeLink(core, hosted === undefined ? 'attached' : 'hosted');
  const { world, said } = fakeWorld(['team', ...args], link);
  const code = await runProgram(world);
  const acts = core.calls.filter(({ name }) => name.startsWith('team.') && name !== 'team.templates');
  const removed = core.calls.filter(({ name }) => name === 'project.remove').map(({ input }) => input);
  return { code, ...said, acts, removed };
}

const place = { runId: 1, activationId: 1 };
const key = expect.any(String);

test.each([
  [['interrupt', '1', 'ana', 'stop that'], 'team.interrupt', { member: 'ana', text: 'stop that', key }],
  [['interrupt', '1', 'ana'], 'team.interrupt', { member: 'ana', text: '', key }],
  [['changes', '1', 'ana', 'shorter'], 'team.changes', { member: 'ana', text: 'shorter', key }],
  [['retry', '1', 'ana'], 'team.restore', { member: 'ana' }],
  [['retry', '1', 'ana', '--agent', 'other', '--model', 'm'], 'team.restore', { agent: 'other', model: 'm' }],
  [['merge', '1', 'ana'], 'team.merge', { member: 'ana' }],
  [['edit', '1', '2', 'shorter'], 'team.edit', { messageId: 2, text: 'shorter' }],
  [['edit', '1', '2', '-'], 'team.edit', { messageId: 2, text: 'from the standard input' }],
  [['withdraw', '1', '2'], 'team.withdraw', { messageId: 2 }],
  [
    ['tasks', '1', 'add', 'Print it', '--priority', 'high', '--after', '2'],
    'team.taskAdd',
    { content: 'Print it', priority: 'high', dependsOn: [2], key },
  ],
  [['tasks', '1', 'complete', '3'], 'team.taskComplete', { taskId: 3 }],
  [['tasks', '1', 'free', '3'], 'team.taskFree', { taskId: 3 }],
  [
    [
      ...['spawn', '1', 'ben', '--agent', 'fake', '--prompt', 'Write.', '--iterative', '--plan'],
      ...['--model', 'm', '--idle-minutes', '5', '--task', '2'],
    ],
    'team.spawn',
    {
      name: 'ben',
      agent: 'fake',
      prompt: 'Write.',
      iterative: true,
      planApproval: true,
      key,
      readOnly: false,
      model: 'm',
      idleMinutes: 5,
      claimTask: 2,
    },
  ],
])('`muster team %j` does it once, in the team of the run', async (args, name, wish) => {
  const { code, acts, err } = await program(args);
  expect([code, err]).toEqual([EXIT.ok, '']);
  expect(acts).toEqual([{ name, input: expect.objectContaining({ ...place, ...wish }) }]);
});

test.each([
  [['--yes'], { name: 'team.mergeConfirm', input: { ...place, mergeId: 4, choices: {} } }],
  [
    ['--theirs', 'a.md'],
    { name: 'team.mergeConfirm', input: { ...place, mergeId: 4, choices: { 'a.md': { take: 'theirs' } } } },
  ],
  [['--decline'], { name: 'team.mergeDecline', input: { ...place, mergeId: 4 } }],
])('a merge that was tried is decided with %j', async (options, act) => {
  const { code, acts } = await program(['merge', '1', 'ana', ...options], { 4: tried });
  expect([code, acts]).toEqual([EXIT.ok, [act]]);
});

test('a file in conflict can be resolved by hand, with the text of another file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-by-hand-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'resolved.md');
  writeFileSync(file, 'both, in order\n');
  const { code, acts } = await program(['merge', '1', 'ana', '--by-hand', `a.md=${file}`], { 4: tried });
  const choices = { 'a.md': { take: 'by_hand', text: 'both, in order\n' } };
  expect([code, acts]).toEqual([
    EXIT.ok,
    [{ name: 'team.mergeConfirm', input: { ...place, mergeId: 4, choices } }],
  ]);
  for (const [wrong, words] of [
    [['--by-hand', `a.md=${file}.gone`], 'cannot be read'],
    [['--by-hand', 'a.md'], 'FILE=TEXT_FILE'],
    [['--by-hand', `a.md=${file}`, '--ours', 'a.md'], 'a.md has two resolutions'],
  ] as const) {
    const refused = await program(['merge', '1', 'ana', ...wrong], { 4: tried });
    expect([refused.acts, refused.err]).toEqual([[], expect.stringContaining(words)]);
  }
});

test('a choice for a file that is not in conflict merges nothing', async () => {
  const { code, acts, err } = await program(['merge', '1', 'ana', '--ours', 'b.md'], { 4: tried });
  expect([code, acts]).toEqual([EXIT.usage, []]);
  expect(err).toContain('b.md is not in conflict');
  expect(err).toContain('in conflict: a.md');
});

test.each([
  [['spawn', '1', 'ben', '--agent', 'fake'], 'spawn needs --agent PROFILE and --prompt TEXT'],
  [['spawn', '1', 'ben', '--agent', 'a', '--prompt', 'x', '--idle-minutes', 'soon'], 'a number above 0'],
  [['tasks', '1', 'complete', 'x'], 'is not a command'],
  [['tasks', '1', 'add', 'x', '--priority', 'huge'], 'high, medium or low'],
  [['retry', '1'], 'team retry takes RUN NAME'],
  [['edit', '1', 'x', 'y'], '"x" is not a message number'],
  [['start', 'writers', '--tokens', '1.5'], '--tokens takes a whole number from 1, not "1.5"'],
  [['start', 'writers', '--dollars', 'many'], '--dollars takes a number above 0, not "many"'],
])('`muster team %j` is wrong usage and does nothing', async (args, words) => {
  const { code, acts, err } = await program(args);
  expect([code, acts]).toEqual([EXIT.usage, []]);
  expect(err).toContain(words);
});

test('a team is started with a budget', async () => {
  const { acts } = await program(['start', 'writers', '--tokens', '5000', '--dollars', '2.5']);
  expect(acts).toMatchObject([
    { name: 'team.start', input: { projectId: 7, budget: { tokens: 5000, cost_usd: 2.5 } } },
  ]);
  const without = await program(['start', 'writers']);
  expect(without.acts[0]?.input).not.toHaveProperty('budget.tokens');
});

test('a team that is started without a running Muster ends the command when it waits for the operator', async () => {
  const hosted = await openTeam({ members: [member('ana', { iterative: true })] });
  await hosted.deliver('ana', 'draft');
  const { code, out } = await program(['start', 'writers'], {}, { hosted });
  expect(code).toBe(EXIT.waiting);
  expect(out).toContain('Run 1 waits for you');
});

test('the team of a run is saved under a name', async () => {
  const { code, acts, out } = await program(['save', '1', 'Mine']);
  expect([code, out]).toEqual([EXIT.ok, expect.stringContaining('.muster/teams/mine.yaml')]);
  const { config } = team;
  expect(acts).toEqual([{ name: 'team.saveTemplate', input: { projectId: 1, name: 'Mine', config } }]);
});

test('a refused start removes the project that it added, and keeps one that was there', async () => {
  for (const isNew of [true, false]) {
    const { code, removed } = await program(['start', 'unknown'], {}, { isNew });
    expect([code === EXIT.ok, removed]).toEqual([false, isNew ? [{ projectId: 7 }] : []]);
  }
  expect((await program(['start', 'writers'], {}, { isNew: true })).removed).toEqual([]);
});

test('a note, which starts no round, differs from an instruction', () => {
  const head = (kind: 'note' | 'instruction') => {
    const deliveries = { ana: { to: 'ana', state: 'delivered' as const } };
    const message = double<TeamMessage>({ from: 'operator', kind, text: 'Shorter.', at: 0, deliveries });
    return messageLines(message, styleFor({}, {}))[0];
  };
  expect(head('instruction')).toMatch(/you to ana$/);
  expect(head('note')).toMatch(/you to ana \(note\)$/);
});
