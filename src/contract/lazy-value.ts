/** Makes a value when it is first asked for: a start does not wait for what it does not need, as a Unicode pattern. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
