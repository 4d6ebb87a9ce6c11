import { createWriteStream, type WriteStream } from 'node:fs';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import type { LogFiles, OutputSink } from '../../core/ports/log-files';
import { readGuarded } from '../../guarded-files/read';
import { SecretMask } from '../../guarded-files/secret-mask';
import { LAST_MESSAGE_BYTES, UNWRITTEN_BYTES } from '../../limits/core-sizes';

const refused = (path: string, cause: unknown) =>
  fail('workspace.failed', `${path} cannot be written: ${String(cause)}`, {
    where: { file: path },
    mend: 'Check the free disk space and the permissions of the folder.',
  });

/**
 * The folder may be in a project: a link in it may lead anywhere, and a named pipe blocks the thread that
 * opens it.
 */
async function refuseOdd(path: string): Promise<void> {
  const there = await lstat(path).catch(() => null);
  if (there !== null && !there.isFile()) throw new Error('there is something else than a file in its place');
}

/** Log files of workers that keep their own. */
export const nodeLogFiles: LogFiles = {
  async open(path, { mode, secrets }): Promise<Result<OutputSink>> {
    try {
      await mkdir(dirname(path), { recursive: true });
      await refuseOdd(path);
      const stream = createWriteStream(path, {
        highWaterMark: UNWRITTEN_BYTES,
        flags: mode === 'replace' ? 'w' : 'a',
      });
      await new Promise<void>((resolve, reject) => {
        stream.once('open', () => resolve());
        stream.once('error', reject);
      });
      return ok(new FileSink(stream, SecretMask.of(secrets)));
    } catch (cause) {
      return refused(path, cause);
    }
  },
  async readText(path) {
    const read = await readGuarded({ root: dirname(path), path, most: LAST_MESSAGE_BYTES }).catch(() => null);
    return read !== null && 'bytes' in read ? read.bytes.toString('utf8') : null;
  },
  async writeText(path, text) {
    try {
      await mkdir(dirname(path), { recursive: true });
      await refuseOdd(path);
      await writeFile(path, text);
      return ok(undefined);
    } catch (cause) {
      return refused(path, cause);
    }
  },
};

class FileSink implements OutputSink {
  #error: Error | null = null;

  constructor(
    private readonly stream: WriteStream,
    private readonly mask: SecretMask | null,
  ) {
    stream.on('error', (error) => {
      this.#error ??= error;
    });
  }

  write(bytes: Uint8Array): boolean {
    const shown = this.mask === null ? bytes : this.mask.take(Buffer.from(bytes));
    return this.#error !== null || this.stream.destroyed || this.stream.write(shown);
  }

  drained(run: () => void): void {
    const done = () => {
      this.stream.off('drain', done).off('close', done);
      run();
    };
    this.stream.once('drain', done).once('close', done);
  }

  async close(): Promise<string | null> {
    if (!this.stream.closed) {
      await new Promise<void>((resolve) => {
        this.stream.once('close', () => resolve());
        this.stream.end(this.mask?.rest());
      });
    }
    return this.#error?.message ?? null;
  }
}
