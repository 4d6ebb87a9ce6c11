/**
 * Works around lost output (node-pty drops the last kilobytes of a program that prints much and exits
 * immediately). A small shell runs the command as its child, prints a mark afterwards, and exits only after
 * an answer. Once the mark was read, so was everything before it. End-of-input keys typed ahead are skipped;
 * if only those are read, the terminal is gone. With a terminal for standard error the mark is printed there too.
 */
const SCRIPT = `mark=$1 errors=$2; shift 2
trap : HUP INT QUIT TERM
if [ -n "$errors" ]; then
  "$@" 2>"$errors"; code=$?
  printf '\\033]1337;MusterEnd=%s;\\007' "$mark" >"$errors"
else "$@"; code=$?; fi
stty sane -echo 2>/dev/null
printf '\\033]1337;MusterEnd=%s;%s\\007' "$mark" "$code"
line= ends=64
until [ "$line" = "$mark" ] || [ "$ends" -eq 0 ]; do IFS= read -r line || ends=$((ends - 1)); done
exit "$code"`;

export function heldCommand(
  { mark, errors }: { readonly mark: string; readonly errors: string | null },
  file: string,
  args: readonly string[],
): { file: string; args: string[] } {
  return { file: '/bin/sh', args: ['-c', SCRIPT, 'muster-hold', mark, errors ?? '', file, ...args] };
}

/**
 * The answer that the shell waits for. It cannot be confused with input typed ahead, and starts with a line
 * end that completes any unfinished line.
 */
export const holdAnswer = (mark: string): string => `\n${mark}\n`;

const ESCAPE = 0x1b;
const NOTHING = Buffer.alloc(0);

/** Finds the mark in a stream of chunks and removes it from the output, wherever chunks are split. */
export class EndMark {
  readonly #start: Buffer;
  #held: Buffer = NOTHING;
  #found = false;

  constructor(mark: string) {
    this.#start = Buffer.from(`\x1b]1337;MusterEnd=${mark};`);
  }

  get found(): boolean {
    return this.#found;
  }

  /** The output now known not to be part of the mark. Whatever follows the mark is dropped. */
  push(chunk: Buffer): Buffer {
    if (this.#found) return NOTHING;
    // The mark begins with its only escape character, and most output contains none.
    if (this.#held.length === 0 && chunk.indexOf(ESCAPE) < 0) return chunk;
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = data.indexOf(this.#start);
    if (at >= 0) {
      // The exit code and the closing byte are not read: the shell exits with the same code.
      this.#found = true;
      return data.subarray(0, at);
    }
    const free = data.length - this.#heldLength(data);
    // A copy: the chunk's memory is reused.
    this.#held = free === data.length ? NOTHING : Buffer.from(data.subarray(free));
    return data.subarray(0, free);
  }

  /** The withheld part if the stream ended without a mark. */
  rest(): Buffer {
    return this.#found ? NOTHING : this.#held;
  }

  #heldLength(data: Buffer): number {
    const longest = Math.min(this.#start.length - 1, data.length);
    if (data.indexOf(ESCAPE, data.length - longest) < 0) return 0;
    for (let length = longest; length > 0; length -= 1) {
      if (data.subarray(data.length - length).equals(this.#start.subarray(0, length))) return length;
    }
    return 0;
  }
}
