import type { Locator } from '@playwright/test';
import type { Part } from './part';

export interface Step {
  readonly id: string;
  readonly type: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly position?: { readonly x: number; readonly y: number };
  readonly config: object;
}
interface Cable {
  readonly from: string;
  readonly to: string;
}

const TYPES = [
  {
    type: 'step.command',
    version: 1,
    title: 'Command',
    description: 'Runs a script.',
    configSchema: { type: 'object', properties: { script: { type: 'string' } } },
    ports: { inputs: [], outputs: [] },
  },
  {
    type: 'step.agent_task',
    version: 1,
    title: 'Agent task',
    description: 'Prompts an agent.',
    configSchema: { type: 'object', properties: { re_prompts: { type: 'array' } } },
    ports: { inputs: [], outputs: [] },
  },
];
export const port = (name: string, label: string) => ({ name, label, kind: 'bundle' });
export const PORTS = { inputs: [port('data_in', 'Input')], outputs: [port('data_out', 'Output')] };

const PROJECT = { id: 1, name: 'p', path: '/work/p', addedAt: 1, trouble: null };

export const command = (id: string, more: Partial<Step> = {}): Step => ({
  id,
  type: 'step.command',
  config: { script: 'true' },
  ...more,
});

let files = 0;

/** Shows a part on a file with these steps. Each test has a file of its own: what is read of a file is kept. */
export async function show(
  { mount, answer }: Part,
  what: 'canvas' | 'list' | 'settings' | 'step' | 'file',
  of: FileOf,
): Promise<Locator> {
  const { steps, cables = [], ports = {}, more = {}, odd = {}, text = 'name: Big\n', writable = true } = of;
  const { problems = [] } = of;
  files += 1;
  const place = { projectId: 1, file: `${files}.yaml` };
  const value = { name: 'Big', ...more, steps, cables };
  const definition = { workspace: 'worktree', max_parallel: 4, ...value };
  const told = Object.fromEntries(steps.map(({ id }) => [id, PORTS]));
  const known = { problems, runnable: true, definition, ports: { ...told, ...ports } };
  const source = { text, hash: 'h', absolutePath: '/w.yaml' };
  await answer({
    'workflow.source': { ...source, writable },
    'workflow.check': { ...known, value: { ...value, ...odd } },
    'step.types': TYPES,
    'agent.list': [],
    'project.list': [PROJECT],
    'workflow.templates': { fields: [], names: [] },
    'workflow.edit': { kind: 'written', merged: false, text: source.text, hash: 'h2' },
    'workflow.attach': { file: '.muster/attachments/notes.md' },
  });
  const rows = steps.map(({ id, type, title = null }) => ({ id, type, title }));
  const row = { ...place, projectName: 'p', name: 'Big', description: null, steps: rows, changedAt: 1 };
  return mount(what, {
    ...place,
    step: steps.slice(0, 1).map(({ id }) => id),
    value: { ...row, ...source, ...known },
  });
}

export interface FileOf {
  readonly steps: readonly Step[];
  readonly cables?: readonly Cable[];
  readonly ports?: object;
  readonly more?: object;
  /** Keys that no workflow has. */
  readonly odd?: object;
  /** The text of the file, where it matters. */
  readonly text?: string;
  readonly writable?: boolean;
  readonly problems?: readonly object[];
}
