import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FakeCore } from '@main/api/testing/fake-core';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { beforeEach, expect, test } from 'vitest';
import { PromptLibrary } from '../prompt-library';

const library = new PromptLibrary({ builtinDir: resolve('resources/prompts') });
let folder: string;

async function prompts(...words: string[]) {
  const asked: unknown[] = [];
  const [listed, checked] = await Promise.all([library.list(folder), library.check(folder)]);
  const answer = (value: unknown) => (input: unknown) => {
    asked.push(input);
    return value;
  };
  const core = new FakeCore({ 'prompt.list': answer(listed), 'prompt.check': answer(checked) });
  const { world, said, opened } = fakeWorld(['prompts', ...words], new FakeLink(core));
  const code = await runProgram({ ...world, cwd: folder });
  for (const input of asked) expect(input).toEqual({ path: folder });
  return { code, ...said, opened: opened.map(({ options }) => options.mode) };
}

const write = (name: string, text: string): void =>
  writeFileSync(join(folder, '.muster/prompts/team', name), text);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-cli-prompts-'));
  mkdirSync(join(folder, '.muster/prompts/team'), { recursive: true });
});

test('a project without texts of its own is valid; the core is only read from', async () => {
  expect(await prompts('check')).toEqual({
    code: 0,
    out: '24 prompts, 0 overridden: all valid\n',
    err: '',
    opened: ['reading'],
  });
});

test('every problem of every file is printed as compilers print them, with code 3', async () => {
  write(
    'lead.md',
    'You lead {teem}.\nteam_spawn team_results team_shutdown team_merge team_cleanup {tools}\n',
  );
  write('lede.md', 'x');
  const { code, out } = await prompts('check');
  expect(code).toBe(3);
  expect(out.split('\n').filter((line) => !line.startsWith('    hint:'))).toEqual([
    '.muster/prompts/team/lead.md:1:10: error: there is no placeholder {teem} [validation.prompt_placeholder]',
    '.muster/prompts/team/lead.md:2: error: the placeholder {team} is missing [validation.prompt_placeholder]',
    '.muster/prompts/team/lead.md:2: error: the placeholder {members} is missing [validation.prompt_placeholder]',
    '.muster/prompts/team/lede.md: error: lede.md is not a prompt file of the set team, so it is never read [validation.prompt_file]',
    '24 prompts, 1 overridden: 4 problems',
    '',
  ]);
  expect(out).toContain('    hint: add {team}');
});

test('the option --json prints one document, and PATH may be a file of the project', async () => {
  write('lead.md', '');
  const { code, out } = await prompts('check', '.muster/prompts/team/lead.md', '--json');
  expect([code, JSON.parse(out)]).toEqual([
    3,
    {
      projectPath: folder,
      valid: false,
      checked: 24,
      overridden: ['.muster/prompts/team/lead.md'],
      problems: [expect.objectContaining({ code: 'validation.prompt_text', where: expect.anything() })],
    },
  ]);
});

test('the list of prompts says where each text comes from', async () => {
  write('lead.md', 'x');
  const { code, out } = await prompts('list', folder);
  expect(code).toBe(0);
  expect(out).toMatch(/team\/iterative-teammate +built in +none +Goes before/);
  expect(out).toMatch(/team\/lead +\.muster\/prompts\/team\/lead\.md +8 +Tells/);
  const listed = JSON.parse((await prompts('list', '--json')).out);
  expect(listed.prompts.map(({ source }: { source: string }) => source)).toContain('override');
});

test('a missing path and an unknown verb exit with 2', async () => {
  expect(await prompts('check', 'gone')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no folder gone'),
    opened: [],
  });
  expect(await prompts('toString')).toMatchObject({ code: 2, err: expect.stringContaining('list, check') });
});

test('the option --prompts and MUSTER_PROMPTS name folders that win, and the list says which text is from which', async () => {
  write('lead.md', 'x');
  const rows = await library.list(folder, [{ path: join(folder, '.muster/prompts'), from: 'flag' }]);
  const asked: unknown[] = [];
  const core = new FakeCore({
    'prompt.list': (input: unknown) => {
      asked.push(input);
      return rows;
    },
  });
  const { world, said } = fakeWorld(['prompts', 'list', '--prompts', 'mine'], new FakeLink(core));
  const env = { ...world.env, MUSTER_PROMPTS: '/theirs' };
  expect(await runProgram({ ...world, cwd: folder, env })).toBe(0);
  expect(asked).toEqual([
    {
      path: folder,
      folders: [
        { path: join(folder, 'mine'), from: 'flag' },
        { path: '/theirs', from: 'variable' },
      ],
    },
  ]);
  expect(said.out).toContain(`${join(folder, '.muster/prompts/team/lead.md')} (--prompts)`);
});
