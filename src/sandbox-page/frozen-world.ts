/*
 * Prototypes and globals of the worker as the first block finds them. Python reaches the prototypes of the values that
 * are converted for it; frozen, they still answer but cannot be replaced by its functions.
 */

/** Prototypes of syntax, which have no global name. */
const UNNAMED: readonly object[] = [
  Object.getPrototypeOf([][Symbol.iterator]()),
  Object.getPrototypeOf(new Map()[Symbol.iterator]()),
  Object.getPrototypeOf(new Set()[Symbol.iterator]()),
  Object.getPrototypeOf(''[Symbol.iterator]()),
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())),
  Object.getPrototypeOf(Uint8Array),
  Object.getPrototypeOf(Uint8Array.prototype),
  Object.getPrototypeOf(function* () {}),
  Object.getPrototypeOf(async () => undefined),
  Object.getPrototypeOf(async function* () {}),
];

const NAMES =
  'Object Function Array String Number Boolean Symbol BigInt Date RegExp Error TypeError RangeError SyntaxError ' +
  'ReferenceError EvalError URIError AggregateError Promise Proxy Reflect Math JSON Atomics Map Set WeakMap WeakSet ' +
  'WeakRef FinalizationRegistry ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray ' +
  'Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Intl ' +
  'WebAssembly TextDecoder TextEncoder MessagePort MessageChannel EventTarget Event MessageEvent';

/** Objects inherit these, and libraries assign their own over them, which a frozen property would refuse. */
const ASSIGNED_OVER: ReadonlySet<PropertyKey> = new Set([
  'name',
  'message',
  'toString',
  'valueOf',
  'constructor',
]);

export function freezeWorld(): void {
  for (const name of NAMES.split(' ')) {
    const value: unknown = Reflect.get(globalThis, name);
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) continue;
    if ('prototype' in value && typeof value.prototype === 'object' && value.prototype !== null)
      freezePrototype(value.prototype);
    // A proxy that answers `now` itself cannot be frozen (fixed-world.ts).
    if (name !== 'Date') Object.freeze(value);
  }
  for (const one of UNNAMED) freezePrototype(one);
}

function freezePrototype(prototype: object): void {
  for (const key of Reflect.ownKeys(prototype)) {
    const found = Reflect.getOwnPropertyDescriptor(prototype, key);
    if (ASSIGNED_OVER.has(key) && found?.configurable && 'value' in found) allowOver(prototype, key, found);
  }
  Object.freeze(prototype);
}

/** An assignment makes a property of the object itself, as if this one were writable. */
function allowOver(prototype: object, key: PropertyKey, { value, enumerable }: PropertyDescriptor): void {
  Object.defineProperty(prototype, key, {
    configurable: false,
    enumerable: enumerable === true,
    get: () => value as unknown,
    set(this: object, own: unknown) {
      if (this === prototype) throw new TypeError('this prototype is frozen');
      Object.defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
    },
  });
}
