import tty from 'node:tty';
import { type IPty, type IPtyForkOptions, spawn } from 'node-pty';
import { PIECE_BYTES, ROOM_BYTES, type Slot, slotIn } from './gather';
import { Input } from './input';

/** So many reads after the last change from one terminal to another, one counts as being alone. */
const ALONE_AFTER = 64;

let lastReader: unknown = null;
let readsAmongOthers = 0;

/** Who takes what a program prints. */
export interface Reader {
  /** A piece of it, in memory that is used again. */
  take(piece: Buffer): void;
  /** Where the next piece is best read into; undefined where anywhere. */
  slot(): Slot | undefined;
}

/**
 * Memory to read into, by whether other terminals are being read as well. With no room beyond a piece libuv reads up to
 * 32 times before it looks at anything else, which is the fastest for one terminal that floods; with more room it reads
 * once, which is fair where several do.
 */
class Room {
  readonly #own = slotIn(Buffer.allocUnsafeSlow(ROOM_BYTES), 0);
  #slot = this.#own;
  #current = this.#own.roomy;

  constructor(private readonly reader: Reader) {}

  /** For the next read; undefined where it stays as it is. */
  readonly next = (): Buffer | undefined => {
    if (lastReader !== this) readsAmongOthers = ALONE_AFTER;
    else if (readsAmongOthers > 0) readsAmongOthers -= 1;
    lastReader = this;
    this.#slot = this.reader.slot() ?? this.#own;
    const wanted = readsAmongOthers > 0 ? this.#slot.roomy : this.#slot.exact;
    if (wanted === this.#current) return;
    this.#current = wanted;
    return wanted;
  };

  get first(): Buffer {
    return this.#current;
  }

  /** What was read: so many bytes of what was given last. */
  piece(length: number): Buffer {
    return length === PIECE_BYTES ? this.#slot.exact : this.#current.subarray(0, length);
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
  reader: Reader,
): PtyProgram {
  if (process.platform === 'win32') return spawnListening({ file, args }, options, reader);
  const { ReadStream } = tty;
  const room = new Room(reader);
  let begun = false;
  const onread = {
    // Asked for once at the start, and then after every read.
    buffer: (): Buffer | undefined => {
      if (begun) return room.next();
      begun = true;
      return room.first;
    },
    callback: (length: number): boolean => {
      reader.take(room.piece(length));
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

function spawnListening({ file, args }: PtyCommand, options: IPtyForkOptions, reader: Reader): PtyProgram {
  const pty = spawn(file, [...args], options);
  // With `encoding: null` node-pty gives buffers, which its types do not say.
  pty.onData((data) => reader.take(data as unknown as Buffer));
  return { pty, write: (data) => pty.write(data) };
}
