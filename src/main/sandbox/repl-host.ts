import { messageOf } from '@contract/error-message';
import type { FromSandboxHost, GoneReason, ToSandboxHost } from '@contract/sandbox/protocol';
import type { MessagePortMain } from 'electron';
import { MemoryWatch } from './memory-watch';
import { type OpenedRepl, openRepl, type ReplFiles } from './repl-view';

/** Maximum simultaneous REPLs: each is a process of 150 MB or more. */
const MOST_REPLS = 8;

interface HostParts {
  readonly files: ReplFiles;
  say(message: FromSandboxHost): void;
  /** Passes a REPL's connection to the core's process, or relays its messages. */
  connect(repl: string, port: MessagePortMain): void;
}

/** The REPLs of one Electron process. Its requests are already validated. */
export class ReplHost {
  readonly #memory = new MemoryWatch();
  readonly #repls = new Map<string, Promise<OpenedRepl | null>>();

  constructor(private readonly parts: HostParts) {}

  act(message: Exclude<ToSandboxHost, { kind: 'to' }>): void {
    if (message.kind === 'close') void this.close(message.repl);
    else this.#repls.set(message.repl, this.#open(message));
  }

  async #open(request: Extract<ToSandboxHost, { kind: 'open' }>): Promise<OpenedRepl | null> {
    const { repl, memoryMb, allowWeak } = request;
    const refuse = (why: 'weak' | 'full' | 'failed', message: string): null => {
      this.#repls.delete(repl);
      this.parts.say({ kind: 'refused', repl, why, message });
      return null;
    };
    if (this.#repls.size >= MOST_REPLS) return refuse('full', `There are already ${MOST_REPLS} sandboxes.`);
    try {
      const opened = await openRepl(this.parts.files, (why) => this.#gone(repl, why));
      if (!opened.confinement.osSandbox && !allowWeak) {
        await opened.close();
        return refuse(
          'weak',
          `The operating system's sandbox is off for the process that would run the code (${opened.confinement.detail}).`,
        );
      }
      this.#memory.watch(opened.pid, memoryMb, () => this.#gone(repl, 'memory'));
      this.parts.connect(repl, opened.port);
      this.parts.say({ kind: 'opened', repl, pid: opened.pid, confinement: opened.confinement });
      return opened;
    } catch (cause) {
      return refuse('failed', `The sandbox could not start: ${messageOf(cause)}`);
    }
  }

  #gone(repl: string, reason: GoneReason): void {
    void this.close(repl, reason);
  }

  /** Resolves when its process is gone; reports that once. */
  async close(repl: string, reason: GoneReason = 'closed'): Promise<void> {
    const opening = this.#repls.get(repl);
    if (opening === undefined) return;
    this.#repls.delete(repl);
    const opened = await opening;
    if (opened === null) return;
    this.#memory.forget(opened.pid);
    await opened.close();
    this.parts.say({ kind: 'gone', repl, reason });
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#repls.keys()].map((repl) => this.close(repl)));
  }
}
