/** A value as another program would send it: its type is only claimed. A field that is undefined is missing. */
export function unchecked<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value));
}
