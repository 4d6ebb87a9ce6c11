import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appError } from '@contract/errors';
import { err, type Result } from '@contract/result';
import { readEndpoint } from '../../api/socket/endpoint-file';
import { CONNECT_PAUSE_MS, CORE_RESTARTS_MS, OPEN_MS } from '../../limits/command-line';
import type { OpenOptions } from '../command';
import { endpointFile, type Folders } from '../folders';
import { connectCore } from './client';
import { AS_NODE, hostCore, type Installation } from './host';
import type { Link } from './link';

interface OpenParts {
  readonly folders: Folders;
  readonly installation: Installation;
}

/** The core running on this data folder, else, depending on the mode, a new one. */
export async function openLink(parts: OpenParts, { mode }: OpenOptions): Promise<Result<Link>> {
  const file = endpointFile(parts.folders.dataDir);
  const back = Date.now() + CORE_RESTARTS_MS;
  let trouble: (() => string | null) | null = null;
  for (const until = Date.now() + OPEN_MS[mode]; ; await sleep(CONNECT_PAUSE_MS)) {
    const before = readEndpoint(file)?.token;
    const attached = await connectCore(file, parts.folders.dbPath);
    if (attached !== null) return attached;
    // A core has started meanwhile: use that one.
    const now = readEndpoint(file)?.token;
    if (now !== undefined && now !== before && Date.now() < Math.max(until, back)) continue;
    if (Date.now() < back && comesBack(file)) continue;
    if (mode === 'attached') return err(noneRuns(parts.folders.dataDir));
    if (mode === 'background') {
      trouble ??= spawnHost(parts);
      const why = trouble();
      if (why === null && Date.now() < until) continue;
      // It ends if another was faster, which is found now.
      return (await connectCore(file, parts.folders.dbPath)) ?? err(noBackground(why));
    }
    const hosted = await hostCore({ ...parts, readOnly: mode === 'reading' });
    // The lease holder knows that no one resumes what was left there.
    if (hosted.ok && mode === 'reading') rmSync(file, { force: true });
    // The process that holds the database may be about to open its socket, or to end.
    if (hosted.ok || hosted.error.code !== 'store.locked' || Date.now() > until) return hosted;
  }
}

/**
 * Whether a killed core is about to be restarted by its host. If we took over meanwhile, agents and commands
 * surviving in that host's terminals would be interrupted.
 */
export function comesBack(endpoint: string): boolean {
  const host = readEndpoint(endpoint)?.host;
  if (host === undefined || isOfAnEarlierBoot(endpoint)) return false;
  try {
    return process.kill(host, 0);
  } catch (cause) {
    // It is another user's, and therefore exists.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

/** Then its processes are gone, and their ids may have been reused. */
function isOfAnEarlierBoot(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts !== undefined && facts.mtimeMs < Date.now() - uptime() * 1000;
}

const noneRuns = (dataDir: string) =>
  appError('unavailable', 'no Muster is running here', {
    where: { file: dataDir },
    mend: 'open the app, or: muster serve',
  });

const noBackground = (why: string | null) =>
  appError('unavailable', `no Muster could be started in the background: ${why ?? 'it does not answer'}`);

/**
 * A separate process that stays until nothing is left to do. Returns its output if it ends before it is
 * found.
 */
function spawnHost({ folders: { dataDir, dbPath }, installation }: OpenParts): () => string | null {
  const logFile = join(dataDir, 'logs', 'background.log');
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  const log = openSync(logFile, 'w', 0o600);
  const args = ['serve', '--until-idle', '--data-dir', dataDir, '--db', dbPath];
  const child = spawn(process.execPath, [join(installation.processDir, 'cli.js'), ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', log],
    cwd: dataDir,
    env: { ...process.env, ...AS_NODE },
  });
  closeSync(log);
  let trouble: string | null = null;
  child.on('error', (error) => {
    trouble = error.message;
  });
  child.on('exit', () => {
    trouble = readFileSync(logFile, 'utf8').trim();
  });
  child.unref();
  return () => trouble;
}
