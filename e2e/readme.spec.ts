import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { makeProject } from './fixtures/project';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The code blocks of a language below a heading, as a reader would copy them. */
function blocks(heading: string, language: string): string[] {
  const start = readme.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`README has no heading "${heading}"`);
  const level = heading.indexOf(' ');
  const rest = readme.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level}} `, 'm'));
  const section = end < 0 ? rest : rest.slice(0, end);
  return [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, kind, text]) =>
    kind === language ? (text ?? '') : [],
  );
}

let bin: string;

/** Puts `muster` and an installed agent where a shell finds them. */
test.beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'muster-readme-'));
  const program = (name: string, entry: string, env = '') => {
    const line = `#!/bin/sh\n${env}exec '${process.execPath}' '${join(root, 'out', 'main', entry)}' "$@"\n`;
    writeFileSync(join(bin, name), line);
    chmodSync(join(bin, name), 0o755);
  };
  program('muster', 'cli.js');
  mkdirSync(join(bin, 'agent'));
  const script = join(root, 'resources', 'scripts', 'writer.yaml');
  const places = `export MUSTER_SCRIPTED_SCRIPT='${script}' MUSTER_SCRIPTED_STATE='${bin}/state' MUSTER_SCRIPTED_RECORD='${bin}/record'\n`;
  const version = 'case "$1" in --version) echo 1.2.3; exit 0;; esac\n';
  program('agent/claude-agent-acp', 'scripted-agent.js', version + places);
});
test.afterEach(() => rmSync(bin, { recursive: true, force: true }));

function shell(project: string, line: string, path: string) {
  const { DISPLAY: _, ...env } = process.env;
  const ran = spawnSync('sh', ['-c', line], {
    cwd: project,
    encoding: 'utf8',
    env: { ...env, PATH: path, MUSTER_DATA_DIR: join(bin, 'data'), NO_COLOR: '1' },
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

/** Runs a block's lines in order; exit code 6 means that a gate waits. */
function follow(project: string, block: string, path: string): string {
  const lines = block.trim().split('\n');
  return lines
    .map((line) => {
      const { code, out, err } = shell(project, line, path);
      expect([0, 6], `${line}\n${out}${err}`).toContain(code);
      return `$ ${line}\n${out}`;
    })
    .join('');
}

const without = (path: string) => `${bin}:${path}`;
const withAgent = (path: string) => `${bin}:${bin}/agent:${path}`;

const FILE = '.muster/workflows/release-notes.yaml';

for (const [name, agent, pathOf] of [
  ['an installed agent', 'claude', withAgent],
  ['the scripted agent', 'scripted', without],
] as const) {
  test(`a reader who follows the README word for word ends with the notes in the checkout, with ${name}`, () => {
    const path = pathOf(process.env.PATH ?? '');
    const project = makeProject({});
    const [workflow = ''] = blocks('## A workflow, from file to result', 'yaml');
    expect(workflow).toContain('acp_profile_id: claude\n');
    mkdirSync(join(project, '.muster', 'workflows'), { recursive: true });
    const text = workflow.replace('acp_profile_id: claude', `acp_profile_id: ${agent}`);
    writeFileSync(join(project, FILE), text);
    const [run = '', apply = ''] = blocks('## A workflow, from file to result', 'sh');
    const draft = follow(project, run, path);
    expect(draft).toContain('Release notes is valid, 3 steps');
    const told = follow(project, apply, path);
    expect(told).toMatch(/branch {2}muster\/release-notes-\w{8}/);
    expect(told).toMatch(/Applied to main as \w{12}: 1 file changed/);
    const notes = readFileSync(join(project, 'NOTES.md'), 'utf8');
    // Only the last answer, as text.
    expect([notes.trim() === '', notes.includes('merged_content')]).toEqual([false, false]);
    expect(told.endsWith(notes)).toBe(true);
    const status = execFileSync('git', ['status', '--porcelain', '--', 'NOTES.md'], { cwd: project });
    expect(String(status)).toBe('');
  });
}

test('The agents that README configures exist under their names', () => {
  const path = withAgent(process.env.PATH ?? '');
  const project = makeProject({});
  const [commands = ''] = blocks('## Agents', 'sh');
  const [profiles = ''] = blocks('## Agents', 'yaml');
  expect(follow(project, commands, path)).toContain('id: "fast"');
  mkdirSync(join(project, '.muster', 'workflows'), { recursive: true });
  writeFileSync(join(project, '.muster', 'agents.yaml'), profiles);
  const workflow = (id: string) =>
    `name: W\nsteps:\n  - {id: a, type: step.agent_task, config: {acp_profile_id: ${id}, instruction: Go.}}\n`;
  for (const id of ['reviewer', 'rehearsal', 'fast', 'claude']) {
    writeFileSync(join(project, FILE), workflow(id));
    expect(shell(project, `muster validate ${FILE}`, path), id).toMatchObject({ code: 0 });
  }
  expect(shell(project, 'muster agents', path).out).toMatch(
    /claude +acp +installed +Claude Code +adapter 1\.2\.3/,
  );
  writeFileSync(join(project, '.muster', 'agents.yaml'), profiles.replace('    command:', '    comand:'));
  writeFileSync(join(project, FILE), workflow('reviewer'));
  const wrong = shell(project, `muster validate ${FILE}`, path);
  expect(wrong.code).toBe(3);
  expect(wrong.out + wrong.err).toMatch(/\.muster\/agents\.yaml:5.*"comand"[\s\S]*README, "Agents"/);
});

test('Setting up leaves the repository as it was', () => {
  const changed = execFileSync('git', ['status', '--porcelain', '--', 'package-lock.json', 'package.json'], {
    cwd: root,
  });
  expect(String(changed)).toBe('');
});
