/**
 * The byte by which the page interrupts Python, as Pyodide may use it. Pyodide reads it and then clears it in two steps:
 * an interrupt in between would be cleared unseen, and the block would run until its process is ended.
 */
export function interruptBuffer(shared: SharedArrayBuffer): Uint8Array {
  let seen = 0;
  return new Proxy(new Uint8Array(shared), {
    get(bytes, name) {
      if (name !== '0') return Reflect.get(bytes, name);
      seen = Atomics.load(bytes, 0);
      return seen;
    },
    set(bytes, name, value) {
      if (name !== '0') return Reflect.set(bytes, name, value);
      Atomics.compareExchange(bytes, 0, seen, value);
      return true;
    },
  });
}
