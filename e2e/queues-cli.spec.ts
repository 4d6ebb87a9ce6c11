/** The command line's counterpart of the window's handling of team queues, conflicts and session prompts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import type { TeamMessage } from '@features/team/contract/state';
import type { TeamRow } from '@features/team/contract/summary';
import type { Cli } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { agentFiles } from './fixtures/team';
import { expect, letGo, test } from './fixtures/test';

async function serve(cli: Cli): Promise<void> {
  const host = cli.start('serve');
  await expect.poll(async () => (await cli.run('status')).out).toContain(String(host.child.pid));
}

const stateOf = async (cli: Cli): Promise<RunState> =>
  (await cli.document<{ state: RunState }>('show', '1')).state;
const rounds = async (cli: Cli): Promise<string[]> =>
  (await cli.document<TeamRow>('team', 'members', '1')).members.map(({ name, word }) => `${name} ${word}`);

const slow = (folder: string) => `match:
  - when: "Write the beginning"
    reply: { do: [{ wait_for_file: ${folder}/go }], text: '<task-result>draft</task-result>' }
default: '<task-result>again</task-result>'
`;

test('messages of a team and prompts of a session are queued, changed and withdrawn before they are sent', async ({
  cli,
}) => {
  const config =
    'team:\n  members:\n    - {name: ana, agent: slow, prompt: Write the beginning., iterative: true}\n';
  const folder = makeProject({
    ...agentFiles({ slow: slow(cli.dataDir) }),
    '.muster/teams/writers.yaml': `name: Writers\ndescription: One.\n${config}`,
  });
  await serve(cli);
  await cli.document('team', 'start', 'writers', '--project', folder);
  await expect.poll(() => rounds(cli)).toEqual(['ana working']);
  for (const text of ['First thought', 'Second thought'])
    expect(await cli.run('team', 'say', '1', text, '--to', 'ana')).toMatchObject({ code: 0 });

  const queue = async () =>
    (await cli.document<{ queue: (TeamMessage & { waitsFor: string[] })[] }>('team', 'queue', '1')).queue;
  const [first, second] = await queue();
  expect([first?.text, second?.text, first?.waitsFor]).toEqual(['First thought', 'Second thought', ['ana']]);
  expect((await cli.run('team', 'queue', '1')).out).toContain('First thought');
  expect(await cli.run('team', 'edit', '1', String(first?.id), 'A better thought')).toMatchObject({
    code: 0,
  });
  expect(await cli.run('team', 'withdraw', '1', String(second?.id))).toMatchObject({ code: 0 });
  expect((await queue()).map(({ text }) => text)).toEqual(['A better thought']);

  expect((await cli.run('session', 'list')).out).toMatch(/1\/1 +slow +working/);
  for (const text of ['Never mind', 'How are you?'])
    expect(await cli.run('session', 'say', '1', text)).toMatchObject({ code: 0 });
  expect(await cli.run('session', 'withdraw', '1', '1')).toMatchObject({ code: 0 });
  const waiting = await cli.run('session', 'queue', '1');
  expect(waiting.out).toContain('How are you?');
  expect(waiting.out).not.toContain('Never mind');

  letGo(cli.dataDir);
  await expect.poll(async () => Object.values((await stateOf(cli)).prompts)[1]?.status).toBe('sent');
  await expect.poll(() => rounds(cli)).toEqual(['ana awaiting_operator']);
  const prompts = Object.values((await stateOf(cli)).turns)
    .map(({ prompt }) => prompt)
    .join('\n');
  expect(prompts).toContain('A better thought');
  expect(prompts).toContain('How are you?');
  for (const gone of ['First thought', 'Second thought', 'Never mind']) expect(prompts).not.toContain(gone);
  expect(await cli.run('team', 'edit', '1', String(first?.id), 'Too late')).toMatchObject({
    code: 2,
    err: expect.stringContaining('already delivered'),
  });
});

const edits = (name: string) => `match:
  - when: "is your last one"
    reply: <task-result status="completed">Final.</task-result>
default:
  do: [{edit: {path: notes.md, find: the middle, replace: the middle of ${name}}}]
  text: <task-result>Changed.</task-result>
`;

test('a conflict of a merge is resolved by hand on the command line', async ({ cli }) => {
  const names = ['ann', 'bob'];
  const members = names
    .map((name) => `    - {name: ${name}, agent: ${name}, prompt: Change the middle., iterative: true}\n`)
    .join('');
  const folder = makeProject({
    ...agentFiles(Object.fromEntries(names.map((name) => [name, edits(name)]))),
    '.muster/teams/two.yaml': `name: Two\ndescription: Two.\nteam:\n  members:\n${members}`,
    'notes.md': 'top\nthe middle\nbottom\n',
  });
  await serve(cli);
  await cli.document('team', 'start', 'two', '--project', folder);
  await expect.poll(() => rounds(cli)).toEqual(names.map((name) => `${name} awaiting_operator`));
  for (const name of names) expect(await cli.run('team', 'satisfied', '1', name)).toMatchObject({ code: 0 });
  const merges = async () =>
    Object.values((await stateOf(cli)).teams[1]?.merges ?? {}).map(
      ({ member, status, rehearsal }) => `${member} ${status} ${rehearsal?.conflicts.length ?? '-'}`,
    );
  await expect.poll(merges).toEqual(expect.arrayContaining(['ann rehearsed 0', 'bob rehearsed 0']));
  expect(await cli.run('team', 'merge', '1', 'ann', '--yes')).toMatchObject({ code: 0 });
  await expect.poll(merges).toContain('ann merged 0');
  expect(await cli.run('team', 'merge', '1', 'bob', '--yes')).toMatchObject({ code: 0 });
  await expect.poll(merges).toContain('bob rehearsed 1');

  const resolved = join(cli.dataDir, 'resolved.md');
  writeFileSync(resolved, 'top\nthe middle of both\nbottom\n');
  const byHand = ['team', 'merge', '1', 'bob', '--by-hand', `notes.md=${resolved}`];
  expect(await cli.run(...byHand)).toMatchObject({ code: 0 });
  await expect.poll(merges).toContain('bob merged 1');
  expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('top\nthe middle of both\nbottom\n');
});
