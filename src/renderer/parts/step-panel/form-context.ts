import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { ValuePath, WorkflowEdit } from '@contract/workflow/edit';
import type { TemplateHelp } from '@contract/workflow/template-help';
import { createContext, useContext } from 'react';
import type { Committed } from './typing';

/** What the fields of one step work on. */
export interface StepForm {
  readonly projectId: number;
  readonly file: string;
  /** The text of the file as it is written. */
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
  /** The value at a path of the step; undefined where the file has none. */
  valueAt(path: ValuePath): Json | undefined;
  problemsAt(path: ValuePath): readonly Problem[];
  edit(edits: readonly WorkflowEdit[], group?: string): Promise<Committed>;
}

const context = createContext<StepForm | null>(null);
export const StepFormProvider = context.Provider;

export function useStepForm(): StepForm {
  const form = useContext(context);
  if (form === null) throw new Error('a field stands outside of a step panel');
  return form;
}

/** Names the step among all that are edited. */
export const placeOfForm = ({ projectId, file, step }: StepForm): string =>
  `form/${projectId}/${file}/${step.join('/')}`;

/** Sets a value of the step, or takes its key out of the file where there is none. */
export function useSetValue(path: ValuePath): (value: Json | undefined) => Promise<Committed> {
  const { edit, step } = useStepForm();
  const place = { step: [...step], path: [...path] };
  const group = JSON.stringify(place);
  return (value) =>
    edit(
      [value === undefined ? { kind: 'value.unset', ...place } : { kind: 'value.set', ...place, value }],
      group,
    );
}
