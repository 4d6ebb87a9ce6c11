import { messageOf } from '@contract/error-message';
import type { Unsteady } from '@contract/system/procedures';
import { LONGEST_RESTART_MS, STEADY_MS } from '../limits/main';
import { afterDeath, type Deaths, noDeaths } from './backoff';
import { afterEnd, type Ends, noEnds } from './repeated-crashes';
import type { Clock, Log, Transport } from './transport';

type ProcessState = 'starting' | 'running' | 'restarting' | 'failed' | 'stopped';

interface Observed {
  readonly state: ProcessState;
  readonly since: number;
  readonly detail: string | null;
  readonly pid: number | null;
  readonly restarts: number;
  readonly unsteady: Unsteady | null;
}

interface SupervisedOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Starts the process, or finds an existing one. */
  start(): Transport;
  /** A new transport, to be listened to. */
  connected(transport: Transport): void;
  /** It is gone, and its pending requests will not be answered. */
  lost(): void;
  changed(): void;
  /** Its cause of death is external and may pass: after giving up, it is retried from time to time. */
  mayPass?(): boolean;
  /** The last end leads to an immediate attempt at an alternative. */
  leadsOn?(): boolean;
  /** The last end was not of our own process, or not its fault: it does not count. */
  pardoned?(): boolean;
  /** It ended by itself, without an announcement. */
  crashed?(detail: string): void;
}

/**
 * A process that is kept alive, and its observed status. It counts as running once its owner calls `ready`.
 */
export class Supervised {
  #observed: Observed;
  #transport: Transport | null = null;
  #deaths: Deaths = noDeaths;
  #ends: Ends = noEnds;
  #cancelSteady: () => void = () => undefined;
  /** The operator requested a restart. */
  #wanted = false;
  #startedAt = 0;
  #cancelRestart: () => void = () => undefined;
  /** Why it will die, if known in advance. */
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
      this.#died(`could not be started: ${messageOf(cause)}`);
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

  /** Additional status while it runs, for example that it is silent. */
  note(detail: string | null): void {
    if (this.#observed.state !== 'running' || this.#observed.detail === detail) return;
    this.#see({ state: 'running', detail });
  }

  /** It announced its death. `final`: a restart would not help. */
  doomed(detail: string, final: boolean): void {
    this.#verdict = { detail, final };
  }

  /** Earlier causes of death no longer count. */
  forgive(): void {
    this.#deaths = noDeaths;
  }

  /** The operator requests another try, or a change makes one worthwhile. */
  restart(): void {
    this.forgive();
    this.#wanted = this.#transport !== null;
    this.#see({ state: 'restarting', pid: null, detail: null });
    if (this.#transport) this.#transport.kill();
    else this.start();
  }

  /** From here on its death is intended. */
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
    if (!this.#wanted && this.options.pardoned?.() !== true) {
      this.#ends = afterEnd(this.#ends, { at, livedMs, why: detail });
      if (this.#verdict === null) this.options.crashed?.(detail);
    }
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

  /** Not counted as a death; what was given up on stays so until something answers. */
  #leadOn(detail: string): void {
    const { clock } = this.options;
    if (this.#observed.state !== 'failed')
      this.#see({ state: 'restarting', pid: null, detail, restarts: this.#observed.restarts + 1 });
    this.#cancelRestart = clock.later(0, () => this.start());
  }

  /** It has lived long enough: earlier causes of death no longer count. */
  #steady(): void {
    const wasUnsteady = this.#ends.unsteady !== null;
    this.#ends = noEnds;
    if (wasUnsteady) this.#see({ state: this.#observed.state, unsteady: null });
  }

  #see(change: Partial<Observed> & { state: ProcessState }): void {
    const before = this.#observed;
    const since = change.state === before.state ? before.since : this.options.clock.now();
    this.#observed = { ...before, ...change, since };
    this.options.changed();
  }
}
