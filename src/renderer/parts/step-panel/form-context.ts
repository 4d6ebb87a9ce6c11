import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { ValuePath, WorkflowEdit } from '@contract/workflow/edit';
import { createContext, useContext } from 'react';

/** What the fields of one step work on. */
export interface StepForm {
  readonly projectId: number;
  readonly step: readonly string[];
  readonly disabled: boolean;
  /** The value at a path of the step; undefined where the file has none. */
  valueAt(path: ValuePath): Json | undefined;
  problemsAt(path: ValuePath): readonly Problem[];
  edit(edits: readonly WorkflowEdit[], group?: string): void;
}

const context = createContext<StepForm | null>(null);
export const StepFormProvider = context.Provider;

export function useStepForm(): StepForm {
  const form = useContext(context);
  if (form === null) throw new Error('a field stands outside of a step panel');
  return form;
}

/** Sets a value of the step, or takes its key out of the file where there is none. */
export function useSetValue(path: ValuePath): (value: Json | undefined) => void {
  const { edit, step } = useStepForm();
  const place = { step: [...step], path: [...path] };
  const group = JSON.stringify(place);
  return (value) =>
    edit(
      [value === undefined ? { kind: 'value.unset', ...place } : { kind: 'value.set', ...place, value }],
      group,
    );
}
