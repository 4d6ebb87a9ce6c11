import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { yamlText } from '@main/adapters/yaml/write';
import { chooseReply, parseScript } from '@main/agents/scripted/process/script';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { templateOf } from '../contract/template';
import { member, openTeam } from '../core/testing/team';
import { TeamTemplates } from './templates';

const resources = join(import.meta.dirname, '../../../../resources');

function templates(path: string): TeamTemplates {
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({ fake: fakeProfile }),
    defaultProfile: () => null,
  });
  const project = { id: 1, path, name: 'p', addedAt: 0, trouble: null };
  return new TeamTemplates({ reader: yamlReader, files, projects: () => [project], yaml: yamlText });
}

function project(files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-teams-'));
  mkdirSync(join(path, '.muster', 'teams'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, '.muster', 'teams', name), text);
  return path;
}

test('the sample brings teams that can be started: the five of the story, and a mixed one', async () => {
  const found = await templates(join(resources, 'sample')).list();
  expect(found.map(({ name, problems }) => ({ name, problems }))).toEqual([
    { name: 'Prompt engineers', problems: [] },
    { name: 'One writer, two readers', problems: [] },
  ]);
  expect(found[0]?.members.map(({ name, iterative }) => `${name} ${iterative}`)).toEqual([
    'S1 true',
    'S2 true',
    'dr-brac true',
    'converter true',
    'S2-assembly true',
  ]);
});

test('the agents of the sample take up what they are told, and end with a completed result', () => {
  const folder = join(resources, 'scripts', 'prompt-team');
  const files = readdirSync(folder);
  expect(files).toHaveLength(5);
  const role = readFileSync(join(resources, 'prompts', 'team', 'iterative-teammate.md'), 'utf8');
  const end = readFileSync(join(resources, 'prompts', 'team', 'final-round.md'), 'utf8');
  for (const file of files) {
    const script = parseScript(readFileSync(join(folder, file), 'utf8'), file);
    const first = chooseReply(script, `${role}\n\n## Your task\nRefine this prompt`, 1);
    expect(first.place).toBe('turns[0]');
    expect(first.reply.text).toContain('<task-result>');
    const told = chooseReply(script, 'The operator says:\nShorter.\n\nThe operator says:\nAnd plainer.', 2);
    expect(told.groups[1]).toContain('And plainer.');
    expect(told.reply.text).toContain('{{1}}');
    const final = chooseReply(script, `Note from The operator:\nI'm satisfied with S1.\n\n${end}`, 3);
    expect(final.reply.text).toContain('<task-result status="completed">');
  }
});

test('a faulty team file is listed with its fault and line', async () => {
  const path = project({
    'broken.yaml': 'name: [\n',
    'keys.yaml': 'name: Keys\nteam:\n  members:\n    - { name: a, agent: fake, prompt: x, iterativ: true }\n',
    'unknown.yaml': 'name: Unknown\nteam:\n  members:\n    - { name: a, agent: nobody, prompt: x }\n',
    'notes.txt': 'no team',
  });
  const found = await templates(path).list();
  expect(found.map(({ name }) => name)).toEqual(['broken', 'keys', 'Unknown']);
  expect(found[0]?.problems[0]).toMatchObject({ code: 'validation.yaml' });
  expect(found[1]?.problems[0]).toMatchObject({ where: { file: '.muster/teams/keys.yaml', line: 4 } });
  expect(found[2]?.problems[0]).toMatchObject({
    code: 'validation.profile_unknown',
    where: { file: '.muster/teams/unknown.yaml', line: 4, path: 'team.members[0].agent' },
  });
});

test('a project without teams has none', async () => {
  expect(await templates(mkdtempSync(join(tmpdir(), 'muster-teams-'))).list(1)).toEqual([]);
  expect(await templates(project({ 'a.yaml': '' })).list(2)).toEqual([]);
});

test('a team is saved with the members that the operator added, listed as it was, and not overwritten by another', async () => {
  const team = await openTeam({ instruction: 'Write.', members: [member('ana', { iterative: true })] });
  const spec = { name: 'ben', agent: 'fake', prompt: 'Read it.', read_only: true, iterative: true };
  await team.call('operator', 'team_spawn', spec);
  const config = templateOf(team.state(), team.team);
  expect(config).toEqual({
    instruction: 'Write.',
    members: [member('ana', { iterative: true }), expect.objectContaining(spec)],
  });
  const path = project({});
  const made = await templates(path).save({ projectId: 1, name: 'Our writers', config });
  expect(made).toEqual({ ok: true, value: { file: '.muster/teams/our-writers.yaml' } });
  expect(await templates(path).list()).toMatchObject([{ name: 'Our writers', config, problems: [] }]);
  const again = await templates(path).save({ projectId: 1, name: 'our writers', config });
  expect(again).toMatchObject({ error: { code: 'conflict' } });
  const wrong = await templates(path).save({ projectId: 1, name: 'Wrong', config: { members: 7 } });
  expect(wrong).toMatchObject({ error: { code: 'input.invalid' } });
  const nowhere = await templates(path).save({ projectId: 2, name: 'No project', config });
  expect(nowhere).toMatchObject({ error: { code: 'not_found' } });
});
