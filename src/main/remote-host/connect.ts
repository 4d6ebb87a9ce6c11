import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { HOST_START_CHECK_MS, HOST_START_MS } from '@areas/hosts/contract/limits';
import { SOCKET } from './serve';

/** Joins the standard streams to the host process, which is started first if there is none. */
export async function connect(folder: string, program: string): Promise<void> {
  process.chdir(folder);
  const socket = (await reach()) ?? (await start(folder, program));
  if (socket === null) {
    process.stderr.write(`the host process did not start; see ${join(folder, 'host.log')}\n`);
    process.exitCode = 1;
    return;
  }
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  // The end of either side is the end of both: what is kept waits in the host process.
  socket.on('close', () => process.exit(0));
  socket.on('error', () => process.exit(0));
  process.stdin.on('end', () => socket.destroy());
  process.stdout.on('error', () => process.exit(0));
}

function reach(): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = createConnection(SOCKET);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}

async function start(folder: string, program: string): Promise<Socket | null> {
  const log = openSync(join(folder, 'host.out'), 'a', 0o600);
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    // A session of its own: the end of the login does not end it.
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  const until = Date.now() + HOST_START_MS;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, HOST_START_CHECK_MS));
    const socket = await reach();
    if (socket !== null) return socket;
  }
  return null;
}
