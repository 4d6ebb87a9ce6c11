import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Host } from '@areas/hosts/contract/host';
import { HostService } from '@areas/hosts/node/host-service';
import { createClock } from '../../adapters/system/clock';
import { hostProgram } from './program';
import { loginName, startRealSshd } from './real-sshd';
import {
  type CutProxy,
  type RunningServer,
  type ServerWish,
  startCutProxy,
  startSshServer,
} from './ssh-server';

/** The real ssh, which every test uses. */
const SSH =
  ['/usr/bin/ssh', '/usr/local/bin/ssh', '/opt/homebrew/bin/ssh'].find((path) => existsSync(path)) ?? null;
export const hasSsh = SSH !== null;

/** A host with a home of its own, a server and a proxy before it; and ssh with a configuration of its own. */
export class HostStage {
  readonly root = mkdtempSync(join(tmpdir(), 'host-'));
  readonly home = join(this.root, 'home');
  readonly #bin = join(this.root, 'bin');
  readonly #there = join(this.root, 'there');
  readonly #known = join(this.root, 'known');
  readonly #services: HostService[] = [];
  #server: RunningServer | null = null;
  #proxy: CutProxy | null = null;

  static async open(
    wish: Partial<ServerWish> & {
      readonly programs?: readonly string[];
      readonly sshd?: boolean;
      readonly node?: string;
    } = {},
  ): Promise<HostStage> {
    const stage = new HostStage();
    for (const folder of [stage.home, stage.#bin, stage.#there]) mkdirSync(folder);
    stage.#keygen('id');
    stage.#keygen('hostkey');
    writeFileSync(
      join(stage.#bin, 'ssh'),
      `#!/bin/sh\necho $$ > '${stage.root}/ssh.pid'\nexec ${SSH} -F '${stage.root}/config' "$@"\n`,
      {
        mode: 0o755,
      },
    );
    stage.#offer(wish.programs ?? ['node', 'git'], wish.node ?? process.execPath);
    const env = { HOME: stage.home, PATH: stage.#there, SHELL: '/bin/sh' };
    stage.#server =
      wish.sshd === true
        ? await startRealSshd({ root: stage.root, env })
        : await startSshServer({ hostKey: readFileSync(join(stage.root, 'hostkey'), 'utf8'), env, ...wish });
    stage.#proxy = await startCutProxy(stage.#server.port);
    stage.trust();
    stage.#configure();
    return stage;
  }

  get proxy(): CutProxy {
    if (this.#proxy === null) throw new Error('the stage is not open');
    return this.#proxy;
  }

  readonly host: Host = { name: 'gpu1', ssh: 'gpu1', addedAt: 1 };

  /** The host's key is in known_hosts, or another one is. */
  trust(key = 'hostkey'): void {
    const [kind, text] = readFileSync(join(this.root, `${key}.pub`), 'utf8').split(' ');
    writeFileSync(this.#known, `[127.0.0.1]:${this.proxy.port} ${kind} ${text}\n`);
  }

  trustNothing(): void {
    writeFileSync(this.#known, '');
  }

  trustAnother(): void {
    this.#keygen('other');
    this.trust('other');
  }

  /** `SHA256:...` of the host's key. */
  fingerprint(): string {
    const shown = execFileSync('ssh-keygen', ['-lf', join(this.root, 'hostkey.pub')], { encoding: 'utf8' });
    return shown.split(' ')[1] ?? '';
  }

  /** A desktop, with this host. */
  service(more: { readonly leastNode?: string; readonly hosts?: readonly Host[] } = {}): HostService {
    const settings = new Map<string, unknown>();
    const uid = `desktop-${this.#services.length}`;
    const hosts = [...(more.hosts ?? [this.host])];
    const service = new HostService({
      store: {
        hosts: () => [...hosts],
        addHost: (host) => void hosts.push(host),
        removeHost: (name) =>
          void hosts.splice(
            hosts.findIndex((one) => one.name === name),
            1,
          ),
        setting: (key) => settings.get(key),
        setSetting: (key, value) => void settings.set(key, value),
      },
      clock: createClock(),
      find: async () => join(this.#bin, 'ssh'),
      environment: async () => ({
        PATH: `${this.#bin}${delimiter}${process.env.PATH ?? ''}`,
        HOME: this.root,
      }),
      program: hostProgram,
      // The runner's own may be older than the one that is promised to be enough.
      leastNode: more.leastNode ?? process.versions.node,
      agents: [{ name: 'Tester', programs: ['tester'] }],
      unfinished: () => [],
      newUid: () => uid,
      changed: () => undefined,
    });
    this.#services.push(service);
    return service;
  }

  /** For a desktop of its own process: the real ssh with the configuration of the stage. */
  searchPath(): string {
    return `${this.#bin}${delimiter}${process.env.PATH ?? ''}`;
  }

  /** Puts a program on the host's PATH. */
  provide(name: string, text: string): void {
    const path = join(this.#there, name);
    // Those of the system are links there: writing through one would replace the system's program.
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: 0o755, flag: 'wx' });
  }

  /** The versions of Muster's program there. */
  versions(): string[] {
    return readdirSync(join(this.home, '.muster-host'));
  }

  /** The process of the installed version. */
  hostPid(): number {
    const pid = Number(
      readFileSync(join(this.home, '.muster-host', this.versions()[0] ?? '', 'lock'), 'utf8'),
    );
    return pid;
  }

  /** How many connections the proxy has refused. */
  refused(): number {
    return this.proxy.refused();
  }

  /** The ssh that was started last. */
  sshPid(): number {
    return Number(readFileSync(join(this.root, 'ssh.pid'), 'utf8'));
  }

  async close(): Promise<void> {
    for (const service of this.#services) service.stop();
    this.#proxy?.close();
    await this.#server?.close();
    if (statSync(join(this.home, '.muster-host'), { throwIfNoEntry: false })?.isDirectory())
      for (const version of this.versions()) endHost(join(this.home, '.muster-host', version, 'lock'));
  }

  #keygen(name: string): void {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(this.root, name)]);
    chmodSync(join(this.root, name), 0o600);
  }

  /** The host's PATH has these programs beside what every system has. */
  #offer(programs: readonly string[], node: string): void {
    const system = [
      'sh',
      'uname',
      'tr',
      'sed',
      'awk',
      'df',
      'mkdir',
      'chmod',
      'rm',
      'cat',
      'getconf',
      'ldd',
      'ps',
      'grep',
      'sleep',
      'env',
      'bash',
      'date',
      'wc',
      'kill',
      'head',
      'seq',
      'ls',
      'touch',
      'tee',
    ];
    for (const name of [...system, ...gitToo(programs)]) {
      const path = ['/usr/bin', '/bin', '/usr/local/bin']
        .map((folder) => join(folder, name))
        .find((one) => existsSync(one));
      if (path !== undefined) symlinkSync(path, join(this.#there, name));
    }
    if (programs.includes('node')) this.provide('node', `#!/bin/sh\nexec '${node}' "$@"\n`);
  }

  #configure(): void {
    writeFileSync(
      join(this.root, 'config'),
      [
        'Host gpu1',
        '  HostName 127.0.0.1',
        `  Port ${this.proxy.port}`,
        `  User ${loginName()}`,
        `  IdentityFile ${join(this.root, 'id')}`,
        '  IdentitiesOnly yes',
        '  IdentityAgent none',
        `  UserKnownHostsFile ${this.#known}`,
        '  GlobalKnownHostsFile /dev/null',
        '',
      ].join('\n'),
    );
  }
}

/** A push and a fetch start programs of their own there. */
const gitToo = (programs: readonly string[]): string[] =>
  programs
    .filter((program) => program !== 'node')
    .flatMap((program) => (program === 'git' ? ['git', 'git-receive-pack', 'git-upload-pack'] : [program]));

function endHost(lock: string): void {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 'SIGKILL');
  } catch {
    // It has ended.
  }
}
