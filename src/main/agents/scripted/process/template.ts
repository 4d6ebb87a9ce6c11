import { own } from '@contract/own';

export type Values = Readonly<Record<string, string>>;

/** Fills in `{{name}}`. One pass: what is filled in is not looked at again. Unknown names stay as they are. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => own(values, name) ?? whole);
}
