import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { workflowSchema } from '@renderer/client/files/workflow-schema';
import { type Field, fieldsOf, type UnionOption } from './fields/fields';

/** Steps and cables are edited on the canvas and in the list. */
export const DRAWN: ReadonlySet<string> = new Set(['steps', 'cables']);

const LABELS: Readonly<Record<string, string>> = {
  workspace: 'Working folder',
  worktree: 'Git worktree',
  max_parallel: 'Maximum parallel steps',
  base_branch: 'Base branch',
  docs_dir: 'Folder of documents',
  returns: 'Step with the result',
  copy: 'Files to copy',
  setup: 'Setup command',
  teardown: 'Teardown command',
};
const HINTS: Readonly<Record<string, string>> = {
  workspace:
    'Worktree: a git worktree on a branch of the run. Project: your own checkout. Folder: a plain folder of the run.',
  base_branch: 'Empty: the branch that is checked out in the project. Steps read it as $BASE_BRANCH.',
  docs_dir: 'Steps read it as $DOCS_DIR.',
  inputs: 'Values to enter when a run starts. Steps read them as $INPUTS.name.',
  cost_usd: 'In US dollars.',
  copy: 'Ignored files, as globs from the project folder, for example .env',
  setup: 'A shell line that runs in the new worktree first.',
  teardown: 'A shell line that runs before the worktree is removed.',
};

const plain = (label: string, of: Field['of']): UnionOption => ({
  label,
  field: { key: '', label, required: true, fallback: undefined, hint: null, of },
});

/**
 * Keys of an input that a schema cannot express well: without `required`, an input is required if it has no
 * default.
 */
const OF_INPUT: Readonly<Record<string, Field['of']>> = {
  default: {
    kind: 'union',
    options: [
      plain('Text', { kind: 'text', long: false }),
      plain('Number', { kind: 'number', isInteger: false }),
      plain('Yes or no', { kind: 'switch' }),
    ],
  },
  required: {
    kind: 'union',
    options: [true, false].map((only) => ({
      ...plain(only ? 'Always' : 'Optional', { kind: 'switch' }),
      only,
    })),
  },
};

function worded(field: Field, parent = ''): Field {
  const { key, of } = field;
  const label = ownValue(LABELS, key) ?? field.label;
  const hint = ownValue(HINTS, key) ?? field.hint;
  if (of.kind === 'group')
    return {
      ...field,
      label,
      hint,
      of: { ...of, fields: of.fields.map((one) => worded(one, parent || key)) },
    };
  if (of.kind === 'list')
    return { ...field, label, hint, of: { ...of, item: { ...of.item, label: 'File' } } };
  if (of.kind === 'map') return { ...field, label, hint, of: { ...of, item: worded(of.item, key) } };
  const better = parent === 'inputs' ? ownValue(OF_INPUT, key) : undefined;
  if (better !== undefined) return { ...field, label, hint, of: better };
  return { ...field, label, hint };
}

/** The fields of a workflow's own keys. */
export const workflowFields = (): Field[] =>
  fieldsOf(workflowSchema() as Json)
    .filter(({ key }) => !DRAWN.has(key))
    .map((field) => worded(field));
