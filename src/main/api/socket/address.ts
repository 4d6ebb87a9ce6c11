import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, ok, type Result } from '@contract/result';

/** Where the server listens. `remove` deletes what it left on disk. */
export interface SocketAddress {
  readonly path: string;
  remove(): void;
}

/** The kernel accepts 104 bytes on macOS and 108 on Linux, including the final zero. */
const LONGEST = 100;
const SHORTEST_TMP = '/tmp';

/** Replaces a dead instance's socket; a live one keeps its own. */
export async function socketAddress(folder: string): Promise<Result<SocketAddress>> {
  if (process.platform === 'win32') return ok(pipe(folder));
  const path = join(folder, 'core.sock');
  if (Buffer.byteLength(path) > LONGEST) return ok(shortSocket());
  if (await answers(path)) {
    return fail('store.locked', `another Muster answers at ${path}`, {
      where: { file: path },
      mend: 'use that one, or start this one with another data folder',
    });
  }
  rmSync(path, { force: true });
  return ok({ path, remove: () => rmSync(path, { force: true }) });
}

/** A new name each time: no one else can have created it, and Windows removes it with its last user. */
function pipe(folder: string): SocketAddress {
  const home = createHash('sha256').update(folder).digest('hex').slice(0, 8);
  return { path: `\\\\.\\pipe\\muster-${home}-${randomBytes(12).toString('hex')}`, remove: () => undefined };
}

/** In a new folder with mode 0700, so that no other user can have put anything there. */
function shortSocket(): SocketAddress {
  const parent = Buffer.byteLength(tmpdir()) > LONGEST - 30 ? SHORTEST_TMP : tmpdir();
  const folder = mkdtempSync(join(parent, 'muster-'));
  return { path: join(folder, 'core.sock'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
