import { fail, ok, type Result } from '@contract/result';
import type { Clock } from '@main/core/ports/ports';
import type { LaunchSpec } from '@main/core/ports/programs/process';
import type { Store } from '@main/core/ports/store/store';
import type { Handlers } from '@main/services/router';
import { z } from 'zod';
import type { Host, HostFacts } from '../contract/host';
import { HOST_END_MS } from '../contract/limits';
import type { HostRow, hostProcedures } from '../contract/procedures';
import { HOST_FOLDER } from '../core/probe';
import { clean, folderName, type HostProgram, hostChecks, install, lookAt } from './bootstrap';
import { HostLink } from './link';
import type { RemoteProcess } from './remote-process';
import { Ssh } from './ssh';

interface HostParts {
  readonly store: Pick<Store, 'hosts' | 'addHost' | 'removeHost' | 'setting' | 'setSetting'>;
  readonly clock: Clock;
  find(command: string): Promise<string | null>;
  environment(): Promise<Readonly<Record<string, string>>>;
  /** Muster's program for hosts, read when it is first needed. */
  program(): Promise<HostProgram>;
  /** The Node that it needs. */
  readonly leastNode: string;
  /** Names of agents, with the programs to look for. */
  readonly agents: readonly { readonly name: string; readonly programs: readonly string[] }[];
  /** The ends of the uids of unfinished runs, as in the names of their folders. */
  unfinished(): readonly string[];
  newUid(): string;
  changed(): void;
}

const CORE_SETTING = 'hosts.core';
const coreSchema = z.object({ uid: z.string(), epoch: z.number().int() });
const cleanedSchema = z.object({ removed: z.array(z.string()), kept: z.array(z.string()) });

/** Remote hosts: where they are, whether they can be reached, and what is there. */
export class HostService {
  readonly #links = new Map<string, HostLink>();
  readonly #facts = new Map<string, HostFacts>();
  readonly #ssh: Ssh;
  readonly #listeners: ((rows: readonly HostRow[]) => void)[] = [];
  #core: z.infer<typeof coreSchema> | null = null;
  #program: Promise<HostProgram> | null = null;

  constructor(private readonly parts: HostParts) {
    this.#ssh = new Ssh(parts);
  }

  handlers(): Pick<Handlers, keyof typeof hostProcedures> {
    return {
      'host.list': async () => ok({ rows: this.rows() }),
      'host.add': async (input) => this.add(input),
      'host.test': ({ name }) => this.#with(name, (host) => this.test(host)),
      'host.doctor': ({ name }) => this.#with(name, (host) => this.doctor(host)),
      'host.remove': ({ name }) => this.#with(name, async (host) => this.remove(host)),
      'host.clean': ({ name }) => this.#with(name, (host) => this.clean(host)),
    };
  }

  /** Called at each change of a connection, and of the hosts. */
  onChange(listener: (rows: readonly HostRow[]) => void): void {
    this.#listeners.push(listener);
  }

  rows(): HostRow[] {
    return this.parts.store.hosts().map((host) => ({
      ...host,
      state: this.#links.get(host.name)?.state ?? { kind: 'idle' },
      facts: this.#facts.get(host.name) ?? null,
    }));
  }

  add({ name, ssh }: { name: string; ssh: string }): Result<Host> {
    const { store, clock } = this.parts;
    const same = store.hosts().find((host) => host.name.toLowerCase() === name.toLowerCase());
    if (same !== undefined)
      return fail('conflict', `There is already a host ${same.name}.`, {
        mend: `Choose another name, or remove it first: muster hosts remove ${same.name}`,
      });
    const host = { name, ssh, addedAt: clock.now() };
    store.addHost(host);
    this.#changed();
    return ok(host);
  }

  remove({ name }: Host): Result<Record<string, never>> {
    const link = this.#links.get(name);
    if (link?.busy === true)
      return fail('conflict', `Something of Muster runs on ${name}.`, {
        mend: 'Let it end, or cancel it first.',
      });
    link?.close();
    this.#links.delete(name);
    this.#facts.delete(name);
    this.parts.store.removeHost(name);
    this.#changed();
    return ok({});
  }

  /** Connects, after bringing the program there if it is missing, and asks what is there. */
  async test(host: Host): Promise<Result<HostFacts>> {
    const { clock, agents } = this.parts;
    const probed = await lookAt(this.#ssh, host, await this.#read());
    if (!probed.ok) return probed;
    const link = await this.#link(host);
    const hello = await link.connect();
    if (!hello.ok) return hello;
    const before = clock.now();
    const stats = await link.request('stats', {});
    if (!stats.ok) return stats;
    const latencyMs = clock.now() - before;
    const found = await link.request('agents', { programs: agents.flatMap(({ programs }) => programs) });
    if (!found.ok) return found;
    const facts: HostFacts = {
      at: clock.now(),
      latencyMs,
      system: probed.value.system,
      node: hello.value.node,
      git: probed.value.git,
      version: hello.value.version.slice(0, 12),
      agents: agents
        .filter(({ programs }) => programs.some((program) => Object.hasOwn(found.value.found, program)))
        .map(({ name }) => name),
      stats: stats.value,
    };
    this.#facts.set(host.name, facts);
    this.#changed();
    return ok(facts);
  }

  /** The host of this name, with its connection. */
  reach(name: string): Promise<Result<{ readonly host: Host; readonly link: HostLink }>> {
    return this.#with(name, async (host) => ok({ host, link: await this.#link(host) }));
  }

  /** For git, which pushes and fetches over the same ssh. */
  gitSsh(): Promise<Result<string>> {
    return this.#ssh.gitCommand();
  }

  /** Starts a program there, and connects first. `stream` names it as long as it runs. */
  launch(name: string, stream: string, spec: LaunchSpec): Promise<Result<RemoteProcess>> {
    return this.#with(name, async (host) => (await this.#link(host)).launch(stream, spec));
  }

  async doctor(host: Host) {
    const probed = await lookAt(this.#ssh, host, await this.#read());
    return probed.ok ? ok({ checks: hostChecks(host, probed.value, this.parts.leastNode) }) : probed;
  }

  async clean(host: Host) {
    const cleaned = await clean(this.#ssh, host, await this.#wish());
    if (!cleaned.ok) return cleaned;
    const read = cleanedSchema.safeParse(json(cleaned.value));
    if (!read.success)
      return fail('host.unfit', `${host.name} answered in a form that is not known.`, {
        mend: `Try: muster hosts doctor ${host.name}`,
      });
    const link = await this.#link(host);
    const folders = await link.request('workspace.clean', { keep: this.parts.unfinished() });
    return folders.ok ? ok({ ...read.data, folders: folders.value.removed }) : folders;
  }

  /** Ends Muster's programs on hosts that can be reached, and the connections. */
  async end(): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, HOST_END_MS).unref());
    await Promise.race([Promise.all([...this.#links.values()].map((link) => link.endAll())), late]);
    this.stop();
  }

  /** Muster ends: hosts that cannot be reached are not waited for. */
  leave(): void {
    for (const link of this.#links.values()) link.leave();
  }

  stop(): void {
    for (const link of this.#links.values()) link.close();
  }

  #changed(): void {
    this.parts.changed();
    const rows = this.rows();
    for (const listener of this.#listeners) listener(rows);
  }

  async #with<T>(name: string, act: (host: Host) => Promise<Result<T>>): Promise<Result<T>> {
    const host = this.parts.store.hosts().find((one) => one.name === name);
    return host === undefined
      ? fail('not_found', `There is no host "${name}".`, { mend: 'See: muster hosts list' })
      : act(host);
  }

  async #link(host: Host): Promise<HostLink> {
    const program = await this.#read();
    const link =
      this.#links.get(host.name) ??
      new HostLink({
        host,
        ssh: this.#ssh,
        clock: this.parts.clock,
        core: this.#identity(),
        command: `"$HOME/${HOST_FOLDER}/${folderName(program)}/muster-host" connect`,
        prepare: async () => install(this.#ssh, host, await this.#wish()),
        changed: () => this.#changed(),
      });
    this.#links.set(host.name, link);
    return link;
  }

  /** The desktop's data folder, and the number of its core's start: the newest one wins on every host. */
  #identity(): z.infer<typeof coreSchema> {
    if (this.#core !== null) return this.#core;
    const { store, newUid } = this.parts;
    const stored = coreSchema.safeParse(store.setting(CORE_SETTING));
    this.#core = stored.success
      ? { uid: stored.data.uid, epoch: stored.data.epoch + 1 }
      : { uid: newUid(), epoch: 1 };
    store.setSetting(CORE_SETTING, this.#core);
    return this.#core;
  }

  #read(): Promise<HostProgram> {
    this.#program ??= this.parts.program();
    return this.#program;
  }

  async #wish() {
    return { program: await this.#read(), leastNode: this.parts.leastNode };
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
