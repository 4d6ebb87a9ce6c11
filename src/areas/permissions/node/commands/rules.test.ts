import { appError } from '@contract/errors';
import { FakeCore } from '@main/api/testing/fake-core';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { row } from '@main/cli/testing/story';
import { expect, test } from 'vitest';

const made = {
  id: '01RULE',
  agent: '*',
  tool: 'edit',
  path: 'src/**',
  command: null,
  effect: 'allow',
  reason: '',
  expires_at: null,
  scope: 'project',
  run_id: null,
  project_id: 2,
  created_at: 1,
  created_by: 'operator',
  removed_at: null,
  uses: 3,
  last_used_at: 5,
};
const tried = {
  looked: 60,
  since: 1_700_000_000_000,
  answered: 2,
  against: 1,
  rows: [
    {
      runId: 1,
      runName: 'r',
      gateId: 4,
      agent: 'Fake',
      title: 'Edit',
      tool: 'edit',
      command: null,
      paths: ['/w/src/a'],
      openedAt: 1_700_000_000_000,
      answer: { option: 'deny' },
      by: 'operator',
    },
  ],
};

async function program(line: string) {
  const core = new FakeCore({
    'rule.list': () => [made],
    'rule.create': ({ rule }: { rule: object }) => ({ ...made, ...rule }),
    'rule.remove': () => ({ ...made, removed_at: 9 }),
    'rule.dryRun': () => tried,
    'project.list': () => [{ id: 2, path: '/p', name: 'p', addedAt: 1, trouble: null }],
    'run.find': ({ name }: { name: string }) =>
      name === '1' ? row : { ok: false, error: appError('not_found', 'none') },
  });
  const args = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
  const { world, said } = fakeWorld(['rules', ...args], new FakeLink(core));
  const code = await runProgram(world);
  const inputs = (name: string) => core.calls.filter((call) => call.name === name).map(({ input }) => input);
  return { code, ...said, inputs };
}

test('rules are listed for a person and for a program', async () => {
  const list = await program('list');
  expect(list.out).toMatch(
    /^RULE +EFFECT +AGENT +WHERE +UNTIL +USES +WHAT\n01RULE +allow +\* +project 2 +always +3 +edit {2}src/,
  );
  expect(JSON.parse((await program('list --json')).out)).toEqual({ rules: [made] });
});

test('a rule is added as the flags say', async () => {
  const { code, inputs } = await program(
    'add --allow --agent worker --command "npm run *" --run 1 --reason why',
  );
  expect(code).toBe(0);
  expect(inputs('rule.create')).toEqual([
    {
      by: 'command line',
      rule: {
        agent: 'worker',
        tool: '*',
        path: null,
        command: 'npm run *',
        effect: 'allow',
        reason: 'why',
        expires_at: null,
        scope: 'run',
        run_id: 1,
        project_id: null,
      },
    },
  ]);
  const before = Date.now();
  const [input] = (await program('add --deny --path .env --project /p --expires 2h')).inputs('rule.create');
  const { rule } = input as { rule: { expires_at: number } };
  expect(rule).toMatchObject({ scope: 'project', project_id: 2, effect: 'deny' });
  expect(rule.expires_at - before).toBeGreaterThanOrEqual(7_200_000);
});

test('an unclear rule is refused before anything is made', async () => {
  const lines = [
    ...[
      '',
      'what',
      'constructor',
      'remove',
      'list x',
      'add --everywhere',
      'add --allow --deny --everywhere',
      'add --allow',
    ],
    ...['add --allow --everywhere --project 2', 'add --allow --project 9', 'add --allow --run 7'],
    ...['add --allow --everywhere --expires soon', 'add --allow --everywhere --agent "No Name"'],
  ];
  for (const line of lines) {
    const { code, inputs } = await program(line);
    expect([line, code, inputs('rule.create')]).toEqual([line, 2, []]);
  }
});

test('a rule is removed, and tried over history', async () => {
  expect((await program('remove 01RULE')).inputs('rule.remove')).toEqual([{ id: '01RULE' }]);
  const run = await program('dry-run --allow --everywhere --path "src/**"');
  expect(run.out).toContain('Would have answered 2 of 60 requests since 20');
  expect(run.out).toContain('1 of them: denied then.');
  expect(run.out).toMatch(/1\/4 .*Fake +deny +\/w\/src\/a/);
  const json = JSON.parse((await program('dry-run --allow --everywhere --json')).out);
  expect(json).toMatchObject({ answered: 2, looked: 60, rule: { scope: 'everywhere' } });
  expect(run.inputs('rule.create')).toEqual([]);
});
