import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from '@contract/result';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { yamlEditor } from '@main/adapters/yaml/edit';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { type WorkflowEdit, workflowEditSchema } from '../../contract/edit';
import type { FileChange } from '../../contract/editing';
import { newHistory, recorded, undone } from '../../contract/history';
import { WorkflowFiles } from '../workflow-files';
import { WorkflowTexts } from './';

const FILE = '.muster/workflows/w.yaml';
const TEXT = `# Written by hand.
name: 'Release'   # keep the quotes
steps:
  - id: plan      # first
    type: step.agent_task
    config:
      instruction: >-
        Plan   it.
      re_prompts: [ 'Again.',   "Shorter." ]
      acp_profile_id: fake

  - {id: build, type: step.command, config: {script: make}}   # one line
  - id: ask
    type: step.approval
    config: {message: "Is $plan.output good?"}
cables:
  # the data
  - {from: plan.data_out, to: ask.data_in}
  - from: build.signal_out   # then
    to: ask.signal_in
`;

const target = { projectId: 1, file: FILE };

function openProject() {
  const project = mkdtempSync(join(tmpdir(), 'muster-lines-'));
  mkdirSync(join(project, '.muster', 'workflows'), { recursive: true });
  writeFileSync(join(project, FILE), TEXT);
  const parts = { reader: yamlReader, editor: yamlEditor, registry: stepRegistry };
  const profiles = () => ({ fake: fakeProfile });
  const texts = new WorkflowTexts({
    ...parts,
    files: new WorkflowFiles({ ...parts, profiles, defaultProfile: () => 'fake' }),
    lastRun: () => null,
    project: () => ({ path: project }),
    changed: () => {},
  });
  return { project, texts };
}

function written(done: Result<FileChange>) {
  if (!done.ok || done.value.kind !== 'written') throw new Error(JSON.stringify(done));
  return done.value;
}

async function hashOf(texts: WorkflowTexts): Promise<string> {
  const read = await texts.source(target);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.hash;
}

/** The lines that `git diff` shows as removed and added by an edit. */
async function linesOf(edit: WorkflowEdit): Promise<string[]> {
  const { project, texts } = openProject();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' });
  git('init', '-q');
  git('add', '.');
  written(await texts.edit({ ...target, base: await hashOf(texts), edits: [edit] }));
  const shown = git('diff', '-U0', '--no-color', '--no-ext-diff');
  return shown.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line));
}

const config = ['config', 're_prompts'];
const cable = { body: [], from: 'plan.data_out', to: 'ask.data_in' };
const CASES: Readonly<Record<WorkflowEdit['kind'], readonly [WorkflowEdit, readonly string[]]>> = {
  'step.add': [
    { kind: 'step.add', body: [], step: { id: 'ship', type: 'step.command', config: { script: 'x' } } },
    ['+  - id: ship', '+    type: step.command', '+    config:', '+      script: x'],
  ],
  'step.remove': [
    { kind: 'step.remove', step: ['build'] },
    [
      '-  - {id: build, type: step.command, config: {script: make}}   # one line',
      '-  - from: build.signal_out   # then',
      '-    to: ask.signal_in',
    ],
  ],
  'step.rename': [
    { kind: 'step.rename', step: ['plan'], id: 'think' },
    [
      '-  - id: plan      # first',
      '+  - id: think      # first',
      '-    config: {message: "Is $plan.output good?"}',
      '+    config: {message: "Is $think.output good?"}',
      '-  - {from: plan.data_out, to: ask.data_in}',
      '+  - {from: think.data_out, to: ask.data_in}',
    ],
  ],
  'step.move': [
    { kind: 'step.move', step: ['ask'], position: { x: 40, y: 8 } },
    ['+    position: { x: 40, y: 8 }'],
  ],
  'value.set': [
    { kind: 'value.set', step: [], path: ['name'], value: 'Ship' },
    ["-name: 'Release'   # keep the quotes", "+name: 'Ship'   # keep the quotes"],
  ],
  'value.unset': [
    { kind: 'value.unset', step: ['plan'], path: ['config', 'acp_profile_id'] },
    ['-      acp_profile_id: fake'],
  ],
  'list.insert': [
    { kind: 'list.insert', step: ['plan'], path: config, at: 1, value: 'More.' },
    [`-      re_prompts: [ 'Again.',   "Shorter." ]`, `+      re_prompts: [ 'Again.', More.,   "Shorter." ]`],
  ],
  'list.remove': [
    { kind: 'list.remove', step: ['plan'], path: config, at: 0 },
    [`-      re_prompts: [ 'Again.',   "Shorter." ]`, '+      re_prompts: [ "Shorter." ]'],
  ],
  'list.move': [
    { kind: 'list.move', step: ['plan'], path: config, at: 0, to: 1 },
    [`-      re_prompts: [ 'Again.',   "Shorter." ]`, `+      re_prompts: [ "Shorter.",   'Again.' ]`],
  ],
  'cable.add': [
    { kind: 'cable.add', body: [], from: 'plan.signal_out', to: 'build.signal_in' },
    ['+  - { from: plan.signal_out, to: build.signal_in }'],
  ],
  'cable.remove': [{ kind: 'cable.remove', ...cable }, ['-  - {from: plan.data_out, to: ask.data_in}']],
  'cable.reconnect': [
    { kind: 'cable.reconnect', ...cable, newTo: 'ask.context_in' },
    ['-  - {from: plan.data_out, to: ask.data_in}', '+  - {from: plan.data_out, to: ask.context_in}'],
  ],
};

test.each(Object.entries(CASES))('git shows only the lines that %s means', async (_, [edit, lines]) => {
  expect(await linesOf(edit)).toEqual(lines);
});

test('every kind of edit is among the cases', () => {
  const kinds = workflowEditSchema.unwrap().options.map(({ shape }) => shape.kind.value);
  expect(Object.keys(CASES).sort()).toEqual([...kinds].sort());
});

test('undoing twenty edits one by one gives the original bytes', async () => {
  const { project, texts } = openProject();
  let hash = await hashOf(texts);
  let history = newHistory(TEXT);
  const moves = Array.from({ length: 20 - Object.keys(CASES).length }, (_, index): WorkflowEdit => {
    return { kind: 'step.move', step: ['ask'], position: { x: index, y: 20 * index } };
  });
  // Before the step and cable named by other edits are removed.
  const kinds = Object.keys(CASES) as WorkflowEdit['kind'][];
  const late = ['step.rename', 'step.remove', 'cable.remove', 'cable.reconnect'];
  const order = [...kinds.filter((kind) => !late.includes(kind)), 'cable.reconnect', 'step.remove'] as const;
  const edits = [...moves, ...order.map((kind) => CASES[kind][0])];
  edits.push({ kind: 'cable.remove', body: [], from: 'plan.data_out', to: 'ask.context_in' });
  edits.push(CASES['step.rename'][0]);
  expect(edits).toHaveLength(20);
  for (const [at, edit] of edits.entries()) {
    const change = written(await texts.edit({ ...target, base: hash, edits: [edit] }));
    history = recorded(history, change.text, { group: null, at });
    hash = change.hash;
  }
  for (const _ of edits) {
    const before = undone(history);
    if (before === null) throw new Error('nothing to undo');
    hash = written(await texts.save({ ...target, base: hash, text: before.text })).hash;
    history = before;
  }
  expect(undone(history)).toBeNull();
  expect(readFileSync(join(project, FILE), 'utf8')).toBe(TEXT);
});
