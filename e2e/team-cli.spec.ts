import type { GateRow } from '@areas/gates/contract/procedures';
import type { TaskState, TeamMessage } from '@features/team/contract/state';
import type { TeamRow } from '@features/team/contract/summary';
import type { Cli, Started } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { agentFiles } from './fixtures/team';
import { expect, letGo, test } from './fixtures/test';

const writer = (folder: string) => `match:
  - when: "is your last one"
    reply: { text: '<task-result status="completed">the end</task-result>' }
  - when: "Shorter"
    reply: { do: [{ wait_for_file: ${folder}/go }], text: '<task-result>shorter</task-result>' }
default: '<task-result>draft</task-result>'
`;

const TEAM = `name: Writers
description: Two who write.
team:
  members:
    - {name: ana, agent: writer, prompt: Write the beginning., iterative: true}
    - {name: ben, agent: writer, prompt: Write the end., iterative: true}
    - {name: carl, agent: writer, prompt: Count the words.}
`;

const project = (folder: string): string =>
  makeProject({ ...agentFiles({ writer: writer(folder) }), '.muster/teams/writers.yaml': TEAM });

const team = (cli: Cli): Promise<TeamRow> => cli.document<TeamRow>('team', 'members', '1');
const standing = async (cli: Cli): Promise<string[]> =>
  (await team(cli)).members.map(({ name, word, round }) => `${name} ${word} ${round}`);

async function serve(cli: Cli): Promise<Started> {
  const host = cli.start('serve');
  await expect.poll(async () => (await cli.run('status')).out).toContain(String(host.child.pid));
  return host;
}

test('a team is led from the command line alone, also over a kill -9 of its core in the middle of a round', async ({
  cli,
}) => {
  const folder = project(cli.dataDir);
  const first = await serve(cli);
  expect(await cli.run('team', 'start', 'nobody', '--project', folder)).toMatchObject({
    code: 2,
    err: expect.stringContaining('there are: Writers'),
  });
  const started = await cli.document<{ runId: number }>('team', 'start', 'writers', '--project', folder);
  expect(started.runId).toBe(1);
  const drafts = ['ana awaiting_operator 1', 'ben awaiting_operator 1', 'carl idle 1'];
  await expect.poll(() => standing(cli)).toEqual(drafts);
  const shown = await cli.run('team', 'members', '1');
  expect(shown.out).toMatch(/ana +writer +iterative +round 1 +waits for you/);
  expect(shown.out).not.toContain('awaiting_operator');

  expect(await cli.run('team', 'say', '1', '@carl thanks')).toMatchObject({
    code: 0,
    out: expect.stringContaining('carl is one-shot and has reported'),
  });
  expect(await cli.run('team', 'tasks', '1', 'add', 'Print it')).toMatchObject({ code: 0 });
  const { tasks } = await cli.document<{ tasks: TaskState[] }>('team', 'tasks', '1');
  expect(tasks).toMatchObject([{ id: 1, content: 'Print it', status: 'pending' }]);

  expect(await cli.run('team', 'say', '1', 'Shorter, please', '--to', 'ana')).toMatchObject({
    code: 0,
    out: 'delivered to ana.\n',
  });
  await expect.poll(() => standing(cli)).toContain('ana working 2');
  first.child.kill('SIGKILL');
  await first.done;

  await serve(cli);
  const open = async () => (await cli.document<{ gates: GateRow[] }>('gates')).gates;
  await expect.poll(async () => (await open()).map(({ kind }) => kind)).toEqual(['interrupted_turn']);
  const [gate] = await open();
  const option = gate?.options.find(({ id }) => id === 'resend')?.id ?? gate?.options[0]?.id ?? '';
  expect(await cli.run('approve', '1', '--option', option)).toMatchObject({ code: 0 });
  letGo(cli.dataDir);
  const said = async (): Promise<string[]> => {
    const words = ['team', 'messages', '1', '--thread', 'ana'];
    const { messages } = await cli.document<{ messages: TeamMessage[] }>(...words);
    return messages.map(({ from, kind, text }) => `${from} ${kind} ${text}`);
  };
  await expect
    .poll(said)
    .toEqual([
      'operator instruction Write the beginning.',
      'ana result draft',
      'operator instruction Shorter, please',
      'ana result shorter',
    ]);
  expect(await standing(cli)).toEqual(['ana awaiting_operator 2', ...drafts.slice(1)]);

  const doubt = await cli.run('team', 'say', '1', 'satisfied with ana and ben');
  expect(doubt).toMatchObject({ code: 6, out: expect.stringContaining('--release ana --release ben') });
  expect(await standing(cli)).toContain('ana awaiting_operator 2');
  const apart = "I'm satisfied with ana, but ben should go on";
  const followed = await cli.run('team', 'say', '1', apart, '--follow', '--json');
  expect(followed.code).toBe(6);
  expect(followed.out).toContain('"text":"the end"');
  await expect.poll(() => standing(cli)).toContain('ben awaiting_operator 1');
  const [ana, ben] = (await team(cli)).members;
  expect([ana?.ended, ben?.ended]).toEqual([true, false]);

  expect(await cli.run('team', 'end', '1')).toMatchObject({ code: 2, err: expect.stringContaining('ben') });
  expect(await cli.run('team', 'satisfied', '1', 'ben')).toMatchObject({ code: 0 });
  await expect.poll(async () => (await team(cli)).members[1]?.ended).toBe(true);
  expect(await cli.run('team', 'end', '1')).toMatchObject({ code: 0 });
  await expect.poll(async () => (await team(cli)).outcome).toBe('succeeded');
});

test('a team is led by the HTTP API alone', async ({ cli }) => {
  const folder = project(cli.dataDir);
  expect(await cli.run('api', '--on')).toMatchObject({ code: 0 });
  const host = cli.start('serve');
  await expect.poll(host.out).toContain('HTTP API: http://127.0.0.1:');
  const { address, token } = await cli.document<{ address: string; token: string }>('api');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(address + path, { headers })).json()) as T;
  const words = async () =>
    (await get<TeamRow>('/runs/1/team')).members.map(({ name, word }) => `${name} ${word}`);

  expect(await post('/teams', { project: folder, name: 'Writers' })).toMatchObject({ status: 201 });
  await expect.poll(words).toEqual(['ana awaiting_operator', 'ben awaiting_operator', 'carl idle']);
  expect((await post('/runs/1/team/say', { text: 'x', opinion: 'y' })).status).toBe(400);
  expect(await post('/runs/1/team/say', { text: 'satisfied with ana and ben' })).toMatchObject({
    status: 200,
    body: { asks: [{ member: 'ana' }, { member: 'ben' }] },
  });
  expect(await post('/runs/1/team/changes', { member: 'ana', text: 'Again' })).toMatchObject({ status: 200 });
  await expect.poll(async () => (await get<TeamRow>('/runs/1/team')).members[0]?.round).toBe(2);
  await expect.poll(words).toContain('ana awaiting_operator');
  const page = await get<{ messages: TeamMessage[] }>('/runs/1/team/messages?thread=ana');
  expect(page.messages.map(({ text }) => text)).toContain('Again');
  for (const member of ['ana', 'ben'])
    expect(await post('/runs/1/team/satisfied', { member })).toMatchObject({ status: 200 });
  await expect
    .poll(async () => (await get<TeamRow>('/runs/1/team')).members.slice(0, 2).every((m) => m.ended))
    .toBe(true);
  expect(await post('/runs/1/team/end', {})).toMatchObject({ status: 200 });
  await expect
    .poll(async () => (await get<{ teams: TeamRow[] }>('/teams')).teams[0]?.outcome)
    .toBe('succeeded');
  host.child.kill('SIGTERM');
  expect(await host.done).toMatchObject({ code: 0 });
});
