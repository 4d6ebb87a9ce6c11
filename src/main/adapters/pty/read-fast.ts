import tty from 'node:tty';
import { type IPty, type IPtyForkOptions, spawn } from 'node-pty';

/**
 * The kernel hands out at most 4095 bytes of a terminal at once. With more room than that each terminal is read once in
 * a turn of the loop; with exactly as much, libuv would read up to 32 times before it looks at the next one.
 */
const READ_BYTES = 8192;

export interface PtyCommand {
  readonly file: string;
  readonly args: readonly string[];
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
): IPty {
  if (process.platform === 'win32') return spawnListening({ file, args }, options, take);
  const { ReadStream } = tty;
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const onread = {
    buffer,
    callback: (length: number): boolean => {
      take(buffer.subarray(0, length));
      return true;
    },
  };
  tty.ReadStream = function readInto(fd: number) {
    // `onread` is an option of every socket, which a read stream of a terminal is.
    return new ReadStream(fd, { onread } as never);
  } as unknown as typeof ReadStream;
  try {
    const pty = spawn(file, [...args], options);
    pty.resume();
    return pty;
  } finally {
    tty.ReadStream = ReadStream;
  }
}

function spawnListening(
  { file, args }: PtyCommand,
  options: IPtyForkOptions,
  take: (piece: Buffer) => void,
): IPty {
  const pty = spawn(file, [...args], options);
  // With `encoding: null` node-pty gives buffers, which its types do not say.
  pty.onData((data) => take(data as unknown as Buffer));
  return pty;
}
