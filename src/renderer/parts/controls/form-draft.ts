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
