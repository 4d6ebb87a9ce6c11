import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, freemem, homedir, loadavg, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import type { HostStats } from '@areas/hosts/contract/host';
import { HOST_IDLE_CHECK_MS, HOST_IDLE_MS } from '@areas/hosts/contract/limits';
import { ok } from '@contract/result';
import { GuardedProcesses } from '../adapters/process';
import { createLogger } from '../adapters/system/logger';
import type { Logger } from '../core/ports/ports';
import { HostConnection } from './connection';
import { Desktop } from './desktop';
import { HostWorkspaces } from './workspaces';

/** Relative, because the path of a socket may have only about a hundred characters. */
export const SOCKET = 'socket';
const LOCK = 'lock';

/** The host process: outlives its connections, and ends itself when it has been idle for a day. */
export function serve(folder: string): void {
  process.chdir(folder);
  if (!locked()) return;
  const logger = createLogger(join(folder, 'host.log'));
  const bootId = randomBytes(8).toString('hex');
  const processes = new GuardedProcesses({
    dataDir: folder,
    instanceId: bootId,
    environment: process.env,
    runtime: { execPath: process.execPath, env: {} },
    // A command over ssh has only a part of the operator's PATH.
    askLoginShell: true,
  });
  const desktops = new Map<string, Desktop>();
  const desktop = (uid: string): Desktop => {
    const known =
      desktops.get(uid) ?? new Desktop(processes, new HostWorkspaces(uid, () => processes.environment()));
    desktops.set(uid, known);
    return known;
  };
  const sessions = () => [...desktops.values()].reduce((sum, one) => sum + one.streams.size, 0);
  const version = basename(folder).replace(/^\d+-/, '');
  const answers = {
    stats: async () => ok(stats(sessions())),
    agents: async ({ programs }: { programs: string[] }) =>
      ok({ found: await installed(processes, programs) }),
  };
  const server = createServer((socket) => new HostConnection(socket, { version, bootId, desktop, answers }));
  server.on('error', (error) => {
    logger.error('the socket cannot be opened', { cause: error.message });
    process.exit(1);
  });
  void processes.reapLeftovers().then(() => {
    rmSync(SOCKET, { force: true });
    // Between its creation and its mode no one else may connect.
    const mask = process.umask(0o177);
    server.listen(SOCKET, () => {
      process.umask(mask);
      chmodSync(SOCKET, 0o600);
      logger.info('host process started', { pid: process.pid, bootId });
    });
  });
  endWhenIdle(sessions, logger);
  process.on('SIGHUP', () => undefined);
  process.on('uncaughtException', (error) => {
    logger.error('not caught', { cause: error.stack ?? error.message });
    process.exit(1);
  });
}

function endWhenIdle(sessions: () => number, logger: Logger): void {
  let busyAt = Date.now();
  setInterval(() => {
    if (sessions() > 0) busyAt = Date.now();
    if (Date.now() - busyAt < HOST_IDLE_MS) return;
    logger.info('host process ends: nothing has run for a day');
    rmSync(SOCKET, { force: true });
    rmSync(LOCK, { force: true });
    process.exit(0);
  }, HOST_IDLE_CHECK_MS);
}

/** One host process in a folder: the lock names its process id, and one of a dead process is taken over. */
function locked(): boolean {
  const mine = `${LOCK}.${process.pid}`;
  writeFileSync(mine, String(process.pid), { mode: 0o600 });
  try {
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        // A link appears with its content, so no one reads a lock without a number.
        linkSync(mine, LOCK);
        return true;
      } catch {
        if (alive(Number(readFileSync(LOCK, 'utf8')))) return false;
        rmSync(LOCK, { force: true });
      }
    }
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** After a reboot the number may belong to another program. */
function alive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  const seen = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  return seen.stdout.includes('muster-host');
}

function stats(sessions: number): HostStats {
  const disk = statfsSync(homedir());
  return {
    load: loadavg()[0] ?? 0,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: disk.bavail * disk.bsize,
    sessions,
  };
}

async function installed(
  processes: GuardedProcesses,
  programs: readonly string[],
): Promise<Record<string, string>> {
  const found = await Promise.all(programs.map(async (name) => [name, await processes.find(name)] as const));
  return Object.fromEntries(found.flatMap(([name, path]) => (path === null ? [] : [[name, path]])));
}
