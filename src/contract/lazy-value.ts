/** Creates a value on first use, so that the start does not wait for it (for example a Unicode pattern). */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
