/**
 * Caches a value computed from an object, for immutable objects such as parsed files. The value is released
 * with its object.
 */
export function remembered<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const made = known.get(key) ?? { value: compute(key) };
    known.set(key, made);
    return made.value;
  };
}
