import type { Unsteady } from '@contract/system/procedures';
import { LONGEST_RESTART_MS, STEADY_MS } from '../limits/main';
import { afterDeath, type Deaths, noDeaths } from './backoff';
import { afterEnd, type Ends, noEnds } from './repeated-ends';
import type { Clock, Log, Transport } from './transport';

export type ProcessState = 'starting' | 'running' | 'restarting' | 'failed' | 'stopped';

export interface Observed {
  readonly state: ProcessState;
  readonly since: number;
  readonly detail: string | null;
  readonly pid: number | null;
  readonly restarts: number;
  readonly unsteady: Unsteady | null;
}

export interface SupervisedOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Starts the process, or finds one that is there already. */
  start(): Transport;
  /** A new transport: its messages are to be listened to. */
  connected(transport: Transport): void;
  /** It is gone, and nothing that was asked of it will be answered. */
  lost(): void;
  changed(): void;
  /** What it dies of is another's doing and may pass: given up, it is tried again from time to time all the same. */
  mayPass?(): boolean;
  /** What ended just now led nowhere, and something else is tried in its place: without a pause. */
  leadsOn?(): boolean;
  /** What ended just now was not ours, or not by a fault of its own: nothing to count. */
  pardoned?(): boolean;
}

/** One process that is kept alive, and what is seen of it. It counts as running when its owner says `ready`. */
export class Supervised {
  #observed: Observed;
  #transport: Transport | null = null;
  #deaths: Deaths = noDeaths;
  #ends: Ends = noEnds;
  #cancelSteady: () => void = () => undefined;
  /** The operator wants its end, to have it begin again. */
  #wanted = false;
  #startedAt = 0;
  #cancelRestart: () => void = () => undefined;
  /** Why it will die, where that is known before it dies. */
  #verdict: { readonly detail: string; readonly final: boolean } | null = null;

  constructor(private readonly options: SupervisedOptions) {
    const since = options.clock.now();
    this.#observed = { state: 'starting', since, detail: null, pid: null, restarts: 0, unsteady: null };
  }

  get observed(): Observed {
    return this.#observed;
  }

  get transport(): Transport | null {
    return this.#transport;
  }

  start(): void {
    this.#cancelRestart();
    if (this.#transport) return;
    this.#startedAt = this.options.clock.now();
    this.#verdict = null;
    this.#wanted = false;
    let transport: Transport;
    try {
      transport = this.options.start();
    } catch (cause) {
      this.#died(`could not be started: ${cause instanceof Error ? cause.message : String(cause)}`);
      return;
    }
    this.#transport = transport;
    transport.onClose((why) => {
      if (this.#transport !== transport) return;
      this.#transport = null;
      this.options.lost();
      this.#died(why);
    });
    this.options.connected(transport);
  }

  ready(pid: number | null): void {
    this.#see({ state: 'running', pid, detail: null });
    this.#cancelSteady();
    this.#cancelSteady = this.options.clock.later(STEADY_MS, () => this.#steady());
    this.options.log('info', `${this.options.name}: running, process ${pid}`);
  }

  /** Something to know of it while it runs, such as that it is silent. */
  note(detail: string | null): void {
    if (this.#observed.state !== 'running' || this.#observed.detail === detail) return;
    this.#see({ state: 'running', detail });
  }

  /** It said that it must die. `final`: starting it again would not help. */
  doomed(detail: string, final: boolean): void {
    this.#verdict = { detail, final };
  }

  /** What it died of before counts no more. */
  forgive(): void {
    this.#deaths = noDeaths;
  }

  /** The operator asks for another try, or something changed that makes one worth while. */
  restart(): void {
    this.forgive();
    this.#wanted = this.#transport !== null;
    this.#see({ state: 'restarting', pid: null, detail: null });
    if (this.#transport) this.#transport.kill();
    else this.start();
  }

  /** From here on its death is as wanted. */
  stop(): void {
    this.#cancelRestart();
    this.#cancelSteady();
    this.#see({ state: 'stopped', pid: this.#observed.pid, detail: null });
  }

  #died(why: string): void {
    const { clock, log, name } = this.options;
    if (this.#observed.state === 'stopped') return;
    const detail = this.#verdict?.detail ?? why;
    const at = clock.now();
    const livedMs = at - this.#startedAt;
    this.#cancelSteady();
    if (this.options.leadsOn?.() === true && this.#verdict?.final !== true) return this.#leadOn(detail);
    const { deaths, next } = afterDeath(this.#deaths, livedMs);
    this.#deaths = deaths;
    if (!this.#wanted && this.options.pardoned?.() !== true)
      this.#ends = afterEnd(this.#ends, { at, livedMs, why: detail });
    const { unsteady } = this.#ends;
    const restarts = this.#observed.restarts + 1;
    if (this.#verdict?.final || next.kind === 'give-up') {
      const later = !this.#verdict?.final && this.options.mayPass?.() === true;
      log('error', `${name}: ${detail}; ${later ? 'retried from time to time' : 'not restarted'}`);
      this.#see({ state: 'failed', pid: null, detail, unsteady });
      if (later) this.#cancelRestart = clock.later(LONGEST_RESTART_MS, () => this.start());
      return;
    }
    log('warn', `${name}: ${detail}; started again in ${next.delayMs} ms`);
    this.#see({ state: 'restarting', pid: null, detail, restarts, unsteady });
    this.#cancelRestart = clock.later(next.delayMs, () => this.start());
  }

  /** It is no death that counts; what was given up stays so until something answers. */
  #leadOn(detail: string): void {
    const { clock } = this.options;
    if (this.#observed.state !== 'failed')
      this.#see({ state: 'restarting', pid: null, detail, restarts: this.#observed.restarts + 1 });
    this.#cancelRestart = clock.later(0, () => this.start());
  }

  /** It has lived long enough: what it ended of before is over. */
  #steady(): void {
    const told = this.#ends.unsteady !== null;
    this.#ends = noEnds;
    if (told) this.#see({ state: this.#observed.state, unsteady: null });
  }

  #see(change: Partial<Observed> & { state: ProcessState }): void {
    const before = this.#observed;
    const since = change.state === before.state ? before.since : this.options.clock.now();
    this.#observed = { ...before, ...change, since };
    this.options.changed();
  }
}
