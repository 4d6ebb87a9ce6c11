type Promising<T> = { readonly [K in keyof T]: (...given: never[]) => Promise<unknown> };

/** Loads a module on its first call, so that a start does not wait for it. All its methods are async. */
export function late<T extends Promising<T>>(read: () => Promise<T>): T {
  let reading: Promise<T> | null = null;
  const call =
    (name: PropertyKey) =>
    async (...given: unknown[]): Promise<unknown> => {
      reading ??= read();
      const made = await reading;
      const method: unknown = Reflect.get(made, name);
      if (typeof method !== 'function') throw new Error(`there is no ${String(name)} to call`);
      return Reflect.apply(method, made, given);
    };
  // A value without `then` can be awaited itself.
  return new Proxy<T>(Object.create(null), { get: (_, name) => (name === 'then' ? undefined : call(name)) });
}
