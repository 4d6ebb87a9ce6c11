import { type GateOption, needsText } from '@contract/gate/gate';

/** What is open below a gate. Words belong to the option that was chosen: a gate may have several that need some. */
export type AnswerForm =
  | { readonly kind: 'reason' | 'answer'; readonly option: string }
  | { readonly kind: 'text' | 'choose' | 'rule' };

/** What an option asks for before it is sent; null where nothing. */
export function formFor(option: GateOption): AnswerForm | null {
  const { id, tone } = option;
  if (needsText(option)) return { kind: 'answer', option: id };
  if (tone === 'reject') return { kind: 'reason', option: id };
  return id === 'allow_rule' ? { kind: 'rule' } : null;
}

/** The form that a gate opens with: the field of the answer it asks for. */
export function firstForm(options: readonly GateOption[]): AnswerForm | null {
  const asked = options.find((option) => option.tone === 'approve' && needsText(option));
  return asked === undefined ? null : formFor(asked);
}

/** The options that stay in sight beside a form: of a reason the chosen one only, of an answer the others. */
export function shownWith(form: AnswerForm | null, options: readonly GateOption[]): readonly GateOption[] {
  if (form?.kind === 'reason') return options.filter(({ id }) => id === form.option);
  if (form?.kind === 'answer') return options.filter(({ id }) => id !== form.option);
  return form?.kind === 'rule' ? [] : options;
}
