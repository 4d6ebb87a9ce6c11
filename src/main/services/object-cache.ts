/**
 * Computes something of an object once. For objects that are never changed, such as parsed files: the result is forgotten
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
