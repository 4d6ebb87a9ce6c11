import { ownValue } from '@contract/own';

export type Values = Readonly<Record<string, string>>;

/** Fills in `{{name}}` in one pass: inserted text is not expanded again. Unknown names stay unchanged. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => ownValue(values, name) ?? whole);
}
