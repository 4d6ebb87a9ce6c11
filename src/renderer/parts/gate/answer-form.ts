import type { GateOption } from '@contract/gate/gate';

/** What is open below a gate. A reason belongs to the option that was chosen: a gate may have several that reject. */
export type AnswerForm =
  | { readonly kind: 'reason'; readonly option: string }
  | { readonly kind: 'text' | 'choose' | 'rule' };

/** What an option asks for before it is sent; null where nothing. */
export function formFor({ id, tone }: Pick<GateOption, 'id' | 'tone'>): AnswerForm | null {
  if (tone === 'reject') return { kind: 'reason', option: id };
  return id === 'allow_rule' ? { kind: 'rule' } : null;
}

/** The options that stay in sight beside a form: of a reason the chosen one only. */
export function shownWith(form: AnswerForm | null, options: readonly GateOption[]): readonly GateOption[] {
  if (form?.kind === 'reason') return options.filter(({ id }) => id === form.option);
  return form?.kind === 'rule' ? [] : options;
}
