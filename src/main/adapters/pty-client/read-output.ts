import { open, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { segmentPath, segmentStart } from '@areas/terminals/contract/files';

const CHUNK = 256 * 1024;

interface Streams {
  output(bytes: Uint8Array): void;
  errors(bytes: Uint8Array): void;
}

interface What {
  /** The offset of the end. */
  readonly end: number;
  /** Offset and length of what came from standard error, in order. */
  readonly errors: readonly (readonly [number, number])[];
}

/** Reads an ended command's output from its files. Returns the number of bytes that were dropped before it. */
export async function readOutput(path: string, { end, errors }: What, streams: Streams): Promise<number> {
  const starts = await startsOf(path);
  const split = splitter(errors, streams);
  let read = 0;
  for (const [index, start] of starts.entries()) {
    const file = await open(segmentPath(path, start), 'r');
    try {
      for (let at = start; at < Math.min(end, starts[index + 1] ?? end); ) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(CHUNK, end - at)), {
          position: at - start,
        });
        if (bytesRead === 0) break;
        split(at, buffer.subarray(0, bytesRead));
        at += bytesRead;
        read += bytesRead;
      }
    } finally {
      await file.close();
    }
  }
  return end - read;
}

/** Gives each part of a chunk to its stream. */
function splitter(errors: What['errors'], streams: Streams): (offset: number, chunk: Uint8Array) => void {
  let next = 0;
  return (offset, chunk) => {
    const end = offset + chunk.length;
    let at = offset;
    while (at < end) {
      const [start, length] = errors[next] ?? [end, 0];
      if (start + length <= at && next < errors.length) next += 1;
      else if (at < start) {
        const to = Math.min(start, end);
        streams.output(chunk.subarray(at - offset, to - offset));
        at = to;
      } else {
        const to = Math.min(start + length, end);
        streams.errors(chunk.subarray(at - offset, to - offset));
        at = to;
      }
    }
  };
}

async function startsOf(path: string): Promise<number[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  const starts = names.map((name) => segmentStart(basename(path), name)).filter((start) => start !== null);
  return starts.sort((one, other) => one - other);
}
