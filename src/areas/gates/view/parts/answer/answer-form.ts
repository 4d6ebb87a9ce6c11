import { type GateOption, needsText } from '../../../contract/gate';

/** The form open below a gate. A text belongs to the chosen option: a gate may have several that need one. */
export type AnswerForm =
  | { readonly kind: 'reason' | 'answer'; readonly option: string }
  | { readonly kind: 'text' | 'choose' | 'rule' };

/** The form of an option before it is sent; null if it needs none. */
export function formFor(option: GateOption): AnswerForm | null {
  const { id, tone } = option;
  if (needsText(option)) return { kind: 'answer', option: id };
  if (tone === 'reject') return { kind: 'reason', option: id };
  return id === 'allow_rule' ? { kind: 'rule' } : null;
}

/** The initial form of a gate: the field of the answer it asks for. */
export function firstForm(options: readonly GateOption[]): AnswerForm | null {
  const withField = options.find((option) => option.tone === 'approve' && needsText(option));
  return withField === undefined ? null : formFor(withField);
}

/** The options shown beside a form: for a reason only the chosen one, for an answer the others. */
export function shownWith(form: AnswerForm | null, options: readonly GateOption[]): readonly GateOption[] {
  if (form?.kind === 'reason') return options.filter(({ id }) => id === form.option);
  if (form?.kind === 'answer') return options.filter(({ id }) => id !== form.option);
  return form?.kind === 'rule' ? [] : options;
}
