import tty from 'node:tty';
import { type IPty, type IPtyForkOptions, spawn } from 'node-pty';
import { Input } from './input';

/**
 * The kernel returns at most 4095 bytes of a terminal per read. With a buffer of exactly this size libuv
 * reads up to 32 times in a row, which is fastest for a single flooding terminal; with a larger buffer it
 * reads once, which is fair for several.
 */
const EXACT_BYTES = 4095;
const ROOMY_BYTES = 8192;
/** Reads without a change of terminal after which a terminal counts as the only one. */
const ALONE_AFTER = 64;

let lastReader: unknown = null;
let readsAmongOthers = 0;

/** Read buffers, depending on whether other terminals are being read too. */
class Room {
  readonly #exact = Buffer.allocUnsafeSlow(EXACT_BYTES);
  readonly #roomy = Buffer.allocUnsafeSlow(ROOMY_BYTES);
  #current = this.#roomy;

  /** For the next read; undefined if it stays the same. */
  readonly next = (): Buffer | undefined => {
    if (lastReader !== this) readsAmongOthers = ALONE_AFTER;
    else if (readsAmongOthers > 0) readsAmongOthers -= 1;
    lastReader = this;
    const wanted = readsAmongOthers > 0 ? this.#roomy : this.#exact;
    if (wanted === this.#current) return;
    this.#current = wanted;
    return wanted;
  };

  get first(): Buffer {
    return this.#current;
  }
}

interface PtyCommand {
  readonly file: string;
  readonly args: readonly string[];
}

export interface PtyProgram {
  readonly pty: IPty;
  /** Writes input. Throws on Windows if the program has ended; elsewhere such input is dropped. */
  readonly write: (data: string) => void;
}

/**
 * Starts a program in a pseudo terminal and passes on its output in a reused buffer, which must be copied to
 * be kept. node-pty creates a buffer and an event for each 4 KB, which costs more than all further
 * processing, and offers no alternative: so its read stream is created with Node's own option for this.
 */
export function spawnReading(
  { file, args }: PtyCommand,
  options: IPtyForkOptions,
  take: (piece: Buffer) => void,
): PtyProgram {
  if (process.platform === 'win32') return spawnListening({ file, args }, options, take);
  const { ReadStream } = tty;
  const room = new Room();
  let begun = false;
  const onread = {
    // Called once at the start, and then after every read.
    buffer: (): Buffer | undefined => {
      if (begun) return room.next();
      begun = true;
      return room.first;
    },
    callback: (length: number, buffer: Buffer): boolean => {
      take(buffer.subarray(0, length));
      return true;
    },
  };
  let input: Input | null = null;
  tty.ReadStream = function readInto(fd: number) {
    // `onread` is an option of every socket, which a terminal's read stream is.
    const stream = new ReadStream(fd, { onread } as never);
    input = new Input({ fd, closed: () => stream.destroyed });
    return stream;
  } as unknown as typeof ReadStream;
  try {
    const pty = spawn(file, [...args], options);
    pty.resume();
    return { pty, write: (data) => input?.write(data) };
  } finally {
    tty.ReadStream = ReadStream;
  }
}

function spawnListening(
  { file, args }: PtyCommand,
  options: IPtyForkOptions,
  take: (piece: Buffer) => void,
): PtyProgram {
  const pty = spawn(file, [...args], options);
  // With `encoding: null` node-pty returns buffers, which its types do not declare.
  pty.onData((data) => take(data as unknown as Buffer));
  return { pty, write: (data) => pty.write(data) };
}
