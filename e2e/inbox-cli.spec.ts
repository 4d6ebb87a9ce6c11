/** What needs the operator, as reported by `muster inbox` and the HTTP API. */
import type { Attention } from '@areas/attention/contract/procedures';
import { makeProject } from './fixtures/project';
import { agentFiles } from './fixtures/team';
import { expect, test } from './fixtures/test';

const workflow = (step: string) => `name: Case\nsteps:\n  - ${step}\n`;

test('the inbox lists decisions, replies and failures, also over a kill -9, until each is settled', async ({
  cli,
}) => {
  const folder = makeProject({
    ...agentFiles({ writer: "default: '<task-result>a draft</task-result>'\n" }),
    '.muster/teams/one.yaml':
      'name: One\ndescription: One.\nteam:\n  members:\n    - {name: ana, agent: writer, prompt: Write., iterative: true}\n',
    '.muster/workflows/ask.yaml': workflow('{id: ask, type: step.approval, config: {message: Publish?}}'),
    '.muster/workflows/fail.yaml': workflow(
      '{id: no, type: step.command, config: {script: exit 3, terminal: false}}',
    ),
  });
  expect((await cli.run('inbox')).out).toContain('Nothing needs you.');
  const first = cli.start('serve');
  await expect.poll(async () => (await cli.run('status')).out).toContain(String(first.child.pid));
  expect(await cli.run('run', `${folder}/.muster/workflows/ask.yaml`, '--detach')).toMatchObject({
    code: 0,
    err: '',
  });
  await cli.run('team', 'start', 'one', '--project', folder);
  await cli.run('run', `${folder}/.muster/workflows/fail.yaml`, '--detach');
  const inbox = () => cli.document<Attention>('inbox');
  const counts = async () => {
    const { decisions, replies, failures, count } = await inbox();
    return [decisions.length, replies.length, failures.length, count];
  };
  await expect.poll(counts).toEqual([1, 1, 1, 3]);
  first.child.kill('SIGKILL');
  await first.done;

  const second = cli.start('serve');
  await expect.poll(async () => (await cli.run('status')).out).toContain(String(second.child.pid));
  await expect.poll(counts).toEqual([1, 1, 1, 3]);
  const { decisions, replies } = await inbox();
  expect([decisions[0]?.message, replies[0]?.member, replies[0]?.lastWords]).toEqual([
    'Publish?',
    'ana',
    'a draft',
  ]);
  const shown = await cli.run('inbox', '--seen');
  for (const words of ['ask: Publish?', 'ana delivered round 1: a draft', 'Failures'])
    expect(shown.out).toContain(words);
  expect(await counts()).toEqual([1, 1, 0, 2]);

  const address = `${decisions[0]?.runId}/${decisions[0]?.gateId}`;
  expect(await cli.run('gates', address, '--snooze', '2h')).toMatchObject({ code: 0 });
  expect(await inbox()).toMatchObject({ decisions: [], snoozed: 1, count: 1 });
  expect(await cli.run('gates', address, '--snooze', 'never')).toMatchObject({ code: 0 });
  expect(await cli.run('approve', address)).toMatchObject({ code: 0 });
  const run = String(replies[0]?.runId);
  expect(await cli.run('team', 'satisfied', run, 'ana')).toMatchObject({ code: 0 });
  await expect.poll(async () => (await inbox()).replies).toEqual([]);
});
