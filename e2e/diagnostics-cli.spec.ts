import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiagnosticFile } from '@areas/diagnostics/contract/procedures';
import { unzipSync } from 'fflate';
import { makeProject } from './fixtures/project';
import { serveMuster } from './fixtures/serve';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

/** Secrets of the forms that an operator may have. */
const SECRETS = [
  'sk-ant-api03-AbCdEf0123456789AbCdEf0123456789',
  'sk-proj-ABCDEFabcdef0123456789',
  'ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8',
  'github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz',
  'glpat-XyZ123abc456DEF789gh',
  'xoxb-123456789012-abcdefABCDEF',
  'AKIAIOSFODNN7EXAMPLE',
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'AIzaSyA-1234567890abcdefghijklmnopqrstu',
  'npm_abcdefghijklmnopqrstuvwxyz0123456789',
  'postgres://ada:Tr0ub4dor@db.acme.example:5432/prod',
  'https://user:p4ssw0rd@acme.example/hook?sig=9f8e7d',
  '0123456789abcdef0123456789abcdef01234567',
  'QmFzZTY0RW5jb2RlZFNlY3JldFZhbHVl',
  '550e8400-e29b-41d4-a716-446655440000',
  'correct horse battery staple',
  'correcthorsebatterystaple',
  'Tr0ub4dor&3',
  'пароль-совершенно-секретный',
  'ada.lovelace@acme.example',
  '+49 170 1234567',
  '4111 1111 1111 1111',
  'DE89370400440532013000',
  '-----BEGIN PRIVATE KEY-----MIIEvQIBADANBgkqhkiG9w0BAQ-----END PRIVATE KEY-----',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx ada@laptop',
  'SharedAccessSignature sr=acme&sig=Zm9vYmFy',
  'hunter2',
  'p@$$w0rd with spaces & "quotes"',
  'MUSTERACMEPROJECTNAME',
] as const;

const workflow = (text: string) => `name: Sum
workspace: folder
steps:
  - id: work
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: ${JSON.stringify(text)}}
`;

/** What must not appear: a secret, or a part of it that says much. */
const partsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  ...secret.split(/[\s"]+/).filter((part) => part.length > 7 && part !== 'password'),
];

test('an archive of diagnostics contains none of the secrets that are planted everywhere', async ({
  cli,
}) => {
  expect(SECRETS).toHaveLength(30);
  const all = SECRETS.join('\n');
  const home = makeProject(scripted(workflow(all), `default: ${JSON.stringify(all)}\n`));
  const project = join(home, 'MUSTERACMEPROJECTNAME hunter2');
  mkdirSync(project);
  cpSync(join(home, '.muster'), join(project, '.muster'), { recursive: true });
  const environment = Object.fromEntries(SECRETS.map((secret, index) => [`PLANTED_${index}`, secret]));
  const run = cli.startIn(environment, 'run', join(project, WORKFLOW), '--instruction', all, '--no-wait');
  expect(await run.done).toMatchObject({ code: 0 });

  const served = await serveMuster(cli.dataDir);
  await served.call('settings.set', {
    settings: {
      editorCommand: all,
      defaultProfile: SECRETS[0],
      keys: { [SECRETS[1]]: SECRETS[2] },
    },
  });
  await served.close();
  const logs = join(cli.dataDir, 'logs');
  const at = new Date().toISOString();
  const lines = SECRETS.flatMap((secret) => [
    { at, level: 'info', message: `core: ${secret}` },
    { at, level: 'info', message: `core: the key "${secret}" was refused` },
    { at, level: 'error', message: 'it failed', cause: `Error: cannot use ${secret}`, output: secret },
    {
      at,
      level: 'error',
      message: 'it failed',
      [secret]: secret,
      error: `${project}/${secret}: token=${secret}`,
    },
    { at, level: secret, message: secret },
  ]);
  for (const log of ['main', 'core', 'terminals']) {
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    appendFileSync(join(logs, `${log}.log`), `${text}\n${all}\n`);
  }
  mkdirSync(join(cli.dataDir, 'crashes', 'completed'), { recursive: true });
  writeFileSync(join(cli.dataDir, 'crashes', 'completed', 'hunter2.dmp'), all);

  const target = join(cli.dataDir, 'report.zip');
  const listed = await cli.document<{ files: DiagnosticFile[] }>('diagnostics');
  expect(listed.files.map(({ name }) => name)).toEqual([
    'about.json',
    'settings.json',
    'status.json',
    'runs.json',
    'crashes.json',
    'logs/main.jsonl',
    'logs/core.jsonl',
    'logs/terminals.jsonl',
  ]);
  expect(await cli.run('diagnostics', target)).toMatchObject({ code: 2 });
  expect(existsSync(target)).toBe(false);
  const saved = cli.startIn(environment, 'diagnostics', target, '--yes');
  expect(await saved.done).toMatchObject({ code: 0, out: expect.stringContaining('logs/core.jsonl') });

  const files = Object.entries(unzipSync(readFileSync(target))).map(([name, bytes]) => ({
    name,
    text: Buffer.from(bytes).toString('utf8'),
  }));
  expect(files).toHaveLength(listed.files.length);
  const found = files.flatMap(({ name, text }) =>
    SECRETS.flatMap(partsOf).flatMap((part) =>
      `${name}\n${text}`.includes(part) ? [`${name}: ${part}`] : [],
    ),
  );
  expect(found).toEqual([]);
  for (const { text } of files) expect(text).not.toContain(home);
  const core = files.find(({ name }) => name === 'logs/core.jsonl')?.text ?? '';
  expect(core).toContain('it failed');
  expect(core).toContain('core started');
  expect(files.find(({ name }) => name === 'runs.json')?.text).toContain('"succeeded"');
});
