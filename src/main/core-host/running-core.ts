import { type Push, packedPush } from '@contract/ipc';
import type { CoreInit, FromCore, ToCore } from '@contract/system/host';
import { LARGE_ANSWERS, packedReply } from '@contract/wire';
import { portChannel } from '../adapters/pty-client/port-channel';
import type { Store } from '../core/ports/store/store';
import { LAST_ERROR_MS, MAIN_PUSH_MS } from '../limits/core';
import { beginCore, type Core } from './compose';
import { type Follower, PushHub } from './push/hub';
import { WindowLine } from './push/window-line';
import { type Servers, startServers } from './servers';
import { isFirst } from './startup-queries';

type CoreCall = Extract<ToCore, { kind: 'rpc' }>;
type Say = (message: FromCore) => void;

/** Messages after the first. */
export type Later = Exclude<ToCore, { kind: 'init' }>;

/** A whole core behind its protocol, over an open store. */
export class RunningCore {
  readonly #core: Core;
  readonly #window: Follower;
  readonly #line: WindowLine;
  /** What an earlier core left was ended, and the runs are resumed. */
  readonly #settled: Promise<void>;
  /** Afterwards, other clients than the window are admitted. */
  readonly #servers: Promise<Servers>;

  constructor(
    init: CoreInit,
    store: Store,
    private readonly say: Say,
  ) {
    const wantKey = init.keychain === true ? () => say({ kind: 'answer-key' }) : null;
    this.#core = beginCore(init, store, { wantKey });
    const hub = new PushHub(this.#core);
    const push = (pushes: Push[]): void => say({ kind: 'packed', pushes: pushes.map(packedPush) });
    this.#window = hub.follow([], push, { pauseMs: MAIN_PUSH_MS });
    this.#line = new WindowLine(hub);
    this.#settled = this.#settle(init.safeMode === true);
    this.#servers = this.#settled.then(() => this.#startServers(hub, init));
  }

  act(message: Later, ports: readonly Electron.MessagePortMain[]): void {
    switch (message.kind) {
      case 'rpc':
        void this.#answer(message);
        return;
      case 'subscribe':
        this.#window.change(message.topics);
        this.#line.follow(message.line ?? []);
        return;
      case 'line':
        if (ports[0]) this.#line.connect(ports[0]);
        return;
      case 'secrets':
        this.#core.setSecrets(message.secrets);
        return;
      case 'pty':
        if (ports[0]) this.#core.pty.connect(portChannel(ports[0]));
        return;
      case 'processes':
        this.#core.status.setProcesses(message);
        // Earlier, it would report that nothing is running.
        void this.#settled.then(() => this.#core.publisher.statusChanged());
        return;
      case 'wake':
        this.#core.wake();
        return;
      case 'shutdown':
        void this.#leave(message.stop);
        return;
    }
  }

  async #settle(safeMode: boolean): Promise<void> {
    await this.#core.settle();
    if (!safeMode) await this.#core.takeUp();
    this.#core.publisher.statusChanged();
  }

  async #startServers(hub: PushHub, init: CoreInit): Promise<Servers> {
    const onAddress = (address: string | null): void => this.say({ kind: 'api', address });
    const servers = await startServers(this.#core, { init, hub, onAddress });
    onAddress(servers.apiAddress());
    return servers;
  }

  async #answer({ id, name, input }: CoreCall): Promise<void> {
    if (!isFirst(name)) await this.#settled;
    const given = this.#core.router(name, input);
    const reply = given instanceof Promise ? await given : given;
    this.#window.flush();
    this.#line.flush();
    this.say({ kind: 'reply', id, reply: LARGE_ANSWERS.has(name) ? packedReply(reply) : reply });
  }

  async #leave(stop: boolean): Promise<void> {
    const servers = await this.#servers;
    this.#window.end();
    this.#line.end();
    await servers.close();
    await this.#core.shutdown(stop);
    this.say({ kind: 'stopped' });
    setTimeout(() => process.exit(0), LAST_ERROR_MS);
  }
}
