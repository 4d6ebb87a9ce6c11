import tty from 'node:tty';
import { type IPty, type IPtyForkOptions, spawn } from 'node-pty';
import { Input } from './input';

/**
 * The kernel hands out at most 4095 bytes of a terminal at once. With exactly as much room libuv reads up to 32 times
 * before it looks at anything else, which is the fastest for one terminal that floods; with more room it reads once,
 * which is fair where several do.
 */
const EXACT_BYTES = 4095;
const ROOMY_BYTES = 8192;
/** Reads after the last change of terminal from which one counts as being alone. */
const ALONE_AFTER = 64;

let lastReader: unknown = null;
let readsAmongOthers = 0;

/** Memory to read into, by whether other terminals are being read as well. */
class Room {
  readonly #exact = Buffer.allocUnsafeSlow(EXACT_BYTES);
  readonly #roomy = Buffer.allocUnsafeSlow(ROOMY_BYTES);
  #current = this.#roomy;

  /** For the next read; undefined where it stays as it is. */
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

export interface PtyCommand {
  readonly file: string;
  readonly args: readonly string[];
}

export interface PtyProgram {
  readonly pty: IPty;
  /** Gives it something to read. Throws where it has ended on Windows; elsewhere that is dropped. */
  readonly write: (data: string) => void;
}

/**
 * Starts a program in a pseudo terminal and hands on what it prints in a piece of memory that is used again: who wants
 * to keep it copies it. node-pty makes a new buffer and an event for each 4 KB, which costs more than all that is done
 * with them afterwards, and it offers no other way: so its read stream is made with Node's own option for that.
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
    // Asked for once at the start, and then after every read.
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
    // `onread` is an option of every socket, which a read stream of a terminal is.
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
  // With `encoding: null` node-pty gives buffers, which its types do not say.
  pty.onData((data) => take(data as unknown as Buffer));
  return { pty, write: (data) => pty.write(data) };
}
