/** Some parts of a value, and some parts of these; a function may give a part of its result. */
export type Parts<T> = T extends (...args: infer Args) => infer Result
  ? (...args: Args) => Parts<Result>
  : T extends Promise<infer Result>
    ? Promise<Parts<Result>>
    : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | AbortSignal
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Parts<Item>[]
        : T extends object
          ? T | { readonly [Key in keyof T]?: Parts<T[Key]> }
          : T;

/** What `await`, `JSON.stringify` and the comparisons of a test runner look for in any object. */
const LOOKED_FOR = new Set([
  'then',
  'toJSON',
  'asymmetricMatch',
  'nodeType',
  'tagName',
  '$$typeof',
  '__esModule',
]);

/** A double with these parts of a port, a service or a state. Reading any other part throws, instead of finding nothing. */
export function double<T extends object>(parts: Parts<T>): T {
  return new Proxy(parts as object, {
    get(target, key, receiver) {
      if (typeof key === 'string' && !(key in target) && !LOOKED_FOR.has(key))
        throw new Error(`the double of this test has no "${key}"`);
      return Reflect.get(target, key, receiver);
    },
  }) as T;
}
