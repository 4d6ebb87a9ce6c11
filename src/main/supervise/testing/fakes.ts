import type { Clock, TransferredPort, Transport } from '../transport';

/** A clock that advances only on request. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  later(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((one) => one !== due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = end;
  }
}

/** The other side of a process: what it received, and what it sends. */
export class FakeTransport implements Transport {
  readonly told: unknown[] = [];
  readonly ports: TransferredPort[] = [];
  #messages: ((raw: unknown) => void)[] = [];
  #closes: ((why: string) => void)[] = [];
  #over = false;

  constructor(readonly pid: number | null) {}

  post(message: unknown, port?: TransferredPort): void {
    this.told.push(message);
    if (port) this.ports.push(port);
  }

  onMessage(listener: (raw: unknown) => void): void {
    this.#messages.push(listener);
  }

  onClose(listener: (why: string) => void): void {
    this.#closes.push(listener);
  }

  kill(): void {
    this.die('killed');
  }

  say(message: unknown): void {
    for (const listener of this.#messages) listener(message);
  }

  die(why: string): void {
    if (this.#over) return;
    this.#over = true;
    for (const listener of this.#closes) listener(why);
  }
}
