/**
 * Looks up a name that comes from outside. `record[name]` would also find inherited properties such as
 * `constructor` and `__proto__`; `tools/check/own-keys.mjs` reports such an access.
 */
export function ownValue<V>(
  record: { readonly [name: string]: V } | null | undefined,
  name: string,
): V | undefined {
  return record != null && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Sets an entry under a name that comes from outside. A plain assignment to `__proto__` would replace the prototype. */
export function setOwnValue<V>(record: { [name: string]: V }, name: string, value: V): V {
  if (name === '__proto__')
    Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  else record[name] = value;
  return value;
}
