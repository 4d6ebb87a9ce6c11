/** A call that the test holds, or is going to hold. */
export interface Pause {
  /** Resolves when the call has come to its pause. */
  readonly reached: Promise<void>;
  readonly isReached: boolean;
  /** Lets the call go on; one that has not come yet is not held any more. */
  release(): void;
}

interface HoldOptions {
  /** How many matching calls pass before the held one. */
  readonly skip?: number;
  /** `before`: nothing has happened yet; `after`: all has, and only the caller does not know it. */
  readonly moment?: 'before' | 'after';
  /** Matching calls that come during the pause wait behind the held one. */
  readonly inOrder?: boolean;
}

type Around = <T extends object>(name: string, port: T) => T;

/** Never settles: what a killed process waits for. */
const never = (): Promise<never> => new Promise(() => undefined);

class Held implements Pause {
  readonly reached: Promise<void>;
  readonly released: Promise<void>;
  isTaken = false;
  isReached = false;
  #passing: number;
  #reach: () => void = () => undefined;
  #release: () => void = () => undefined;

  constructor(
    private readonly matches: (call: string) => boolean,
    private readonly options: HoldOptions,
    private readonly forget: (held: Held) => void,
  ) {
    this.#passing = options.skip ?? 0;
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  takes(call: string): boolean {
    if (this.isTaken || !this.matches(call)) return false;
    this.#passing -= 1;
    this.isTaken = this.#passing < 0;
    return this.isTaken;
  }

  isBefore(call: string): boolean {
    return this.isTaken && this.options.inOrder === true && this.matches(call);
  }

  async hold(work: () => unknown): Promise<unknown> {
    const result = this.options.moment === 'after' ? { value: await work() } : null;
    this.isReached = true;
    this.#reach();
    await this.released;
    return result === null ? work() : result.value;
  }

  release(): void {
    this.forget(this);
    this.#release();
  }
}

/**
 * Holds calls of ports by name until the test releases them, so that something else can happen in any `await`
 * of the code that calls them. Calls that are not held pass unchanged, in the same turn of the event loop.
 */
export class PausePoints {
  readonly #holds = new Set<Held>();
  #core = 0;

  /** Wraps the ports of a core. That of the core before is dead: none of its calls begins or returns any more. */
  nextCore(): Around {
    this.#core += 1;
    const core = this.#core;
    return (name, port) => this.#wrapped(core, name, port);
  }

  /** Wraps a port whose process is never killed, and a function that is one. */
  around: Around = (name, port) => this.#wrapped(null, name, port);

  calling<Args extends readonly unknown[], T>(
    name: (...args: Args) => string,
    call: (...args: Args) => Promise<T>,
  ): (...args: Args) => Promise<T> {
    return async (...args) => (await this.#pass(null, name(...args), () => call(...args))) as T;
  }

  /** Holds the next call of this name: `workspaces.snapshot`. */
  hold(call: string | ((call: string) => boolean), options: HoldOptions = {}): Pause {
    const matches = typeof call === 'string' ? (name: string) => name === call : call;
    const held = new Held(matches, options, (one) => this.#holds.delete(one));
    this.#holds.add(held);
    return held;
  }

  #wrapped<T extends object>(core: number | null, name: string, port: T): T {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown =>
          this.#pass(core, `${name}.${String(key)}`, () => Reflect.apply(value, target, args));
      },
    });
  }

  #pass(core: number | null, call: string, work: () => unknown): unknown {
    const isDead = (): boolean => core !== null && core !== this.#core;
    if (isDead()) return never();
    for (const held of this.#holds)
      if (held.isBefore(call)) return held.released.then(() => this.#pass(core, call, work));
    for (const held of this.#holds) {
      if (!held.takes(call)) continue;
      return held.hold(() => (isDead() ? never() : work())).then((value) => (isDead() ? never() : value));
    }
    return work();
  }
}
