import { amount, whole } from '@contract/bounds';

/**
 * The fields of a form as texts. A saved draft fills the fields of the form; if it is invalid, the form
 * starts with its defaults.
 */
export function readFormDraft<Draft extends object>(kept: string, blank: Draft): Draft {
  try {
    const value: unknown = JSON.parse(kept);
    if (typeof value !== 'object' || value === null) return blank;
    const fields = Object.entries(value).filter(
      ([name, field]) => Object.hasOwn(blank, name) && typeof field === 'string',
    );
    return { ...blank, ...Object.fromEntries(fields) };
  } catch {
    return blank;
  }
}

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, text: string): boolean =>
  text.trim() === '' || schema.safeParse(Number(text)).success;
/** An empty field is no budget. The bounds are those of a stored budget. */
export const isTokenBudget = (text: string): boolean => accepts(whole().positive(), text);
export const isCostBudget = (text: string): boolean => accepts(amount().positive(), text);
