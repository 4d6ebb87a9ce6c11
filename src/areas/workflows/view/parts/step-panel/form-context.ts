import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { WorkflowFile } from '@renderer/client/files/workflow-file';
import { createContext, useContext } from 'react';
import { pathOfStep } from '../../../contract/apply-edit';
import { valueAt } from '../../../contract/change';
import type { StepPath, ValuePath, WorkflowEdit } from '../../../contract/edit';
import type { TemplateHelp } from '../../../contract/template-help';
import type { Committed } from './typing/typing';
import type { ProblemField } from './typing/use-problem-field';

/** What the fields of one step need. */
export interface StepForm {
  readonly projectId: number;
  readonly file: string;
  /** The raw text of the file. */
  readonly fileText: string;
  /** What the templates of the step may refer to. */
  readonly help: TemplateHelp | null;
  readonly step: readonly string[];
  readonly types: readonly { readonly type: string; readonly title: string }[];
  /** The schema of a step type's configuration. */
  schemaOf(type: string): Json | null;
  /** Shows another step of the file. */
  openStep(step: readonly string[]): void;
  readonly disabled: boolean;
  /** The field that a problem led to. */
  readonly wanted: ProblemField | null;
  /** The value at a path of the step; undefined where the file has none. */
  valueAt(path: ValuePath): Json | undefined;
  /** The current value in the file, even if it is not rendered yet. */
  now(path: ValuePath): Json | undefined;
  problemsAt(path: ValuePath): readonly Problem[];
  /** Makes edits, if `holds` still returns true when no other write is pending. */
  edit(edits: readonly WorkflowEdit[], group?: string, holds?: () => boolean): Promise<Committed>;
}

const context = createContext<StepForm | null>(null);
export const StepFormProvider = context.Provider;

export function useStepForm(): StepForm {
  const form = useContext(context);
  if (form === null) throw new Error('a field stands outside of a step panel');
  return form;
}

/**
 * Reads and writes the file of a step, or of the workflow if `step` is empty, even if it is not rendered yet.
 */
export const fileForm = (open: WorkflowFile, step: StepPath): Pick<StepForm, 'now' | 'edit'> => ({
  now: (inner) => {
    const now: Json = open.view.get().checked?.value ?? null;
    const at = step.length === 0 ? [] : pathOfStep(now, open.nowAt(step));
    return at === null ? undefined : valueAt(now, [...at, ...inner]);
  },
  edit: async (edits, group, holds = () => true) => {
    let held = true;
    const check = () => {
      held = holds();
      return held;
    };
    if (await open.edit(edits, group, check)) return 'written';
    if (!held) return 'stale';
    const { shared, conflict } = open.view.get();
    return shared === null && conflict === null ? 'failed' : 'asked';
  },
});

/** Identifies the step among all edited ones. */
export const placeOfForm = ({ projectId, file, step }: StepForm): string =>
  `form/${projectId}/${file}/${step.join('/')}`;

/** The edit that sets a value of the step, or removes its key if the value is undefined. */
export function useSetting(path: ValuePath): (value: Json | undefined) => WorkflowEdit[] {
  const { step } = useStepForm();
  const place = { step: [...step], path: [...path] };
  return (value) => [
    value === undefined ? { kind: 'value.unset', ...place } : { kind: 'value.set', ...place, value },
  ];
}

/** The configuration of the step by its keys, and the edits that change one of them. */
export function useConfig() {
  const { valueAt, edit, step, disabled } = useStepForm();
  const at = (key: string) => ({ step: [...step], path: ['config', key] });
  return {
    disabled,
    edit,
    valueAt: (...path: ValuePath) => valueAt(['config', ...path]),
    has: (key: string): boolean => valueAt(['config', key]) !== undefined,
    set: (key: string, value: Json): WorkflowEdit => ({ kind: 'value.set', ...at(key), value }),
    unset: (key: string): WorkflowEdit => ({ kind: 'value.unset', ...at(key) }),
  };
}

export function useSetValue(path: ValuePath): (value: Json | undefined) => Promise<Committed> {
  const { edit, step } = useStepForm();
  const setting = useSetting(path);
  return (value) => edit(setting(value), JSON.stringify([step, path]));
}
