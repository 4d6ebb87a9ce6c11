import type { LaunchSpec, LineOutput } from '@main/core/ports/programs/process';

const NEWLINE = 0x0a;
const TAIL_BYTES = 16 * 1024;

export interface TakeBytes {
  bytes(part: 'out' | 'err', bytes: Buffer): void;
  /** The program has exited: a last line may lack its end. */
  end(): void;
  /** The end of standard error. */
  errors(): string;
}

/** Passes a program's bytes on as its starter wants them. */
export function lineOutput(output: LaunchSpec['output']): TakeBytes {
  let tail = Buffer.alloc(0);
  const errors = () => tail.toString('utf8');
  const keep = (bytes: Buffer): void => {
    tail = Buffer.concat([tail, bytes]).subarray(-TAIL_BYTES);
  };
  if (output.kind === 'merged') return { bytes: (_part, bytes) => output.chunk(bytes), end: none, errors };
  if (output.kind === 'split')
    return {
      bytes(part, bytes) {
        if (part === 'out') return output.stdout(bytes);
        keep(bytes);
        output.stderr(bytes);
      },
      end: none,
      errors,
    };
  const lines = new Lines(output);
  return {
    bytes(part, bytes) {
      if (part === 'out') {
        output.raw?.stdout(bytes);
        return lines.push(bytes);
      }
      keep(bytes);
      output.raw?.stderr(bytes);
      output.stderr(bytes.toString('utf8'));
    },
    end: () => lines.end(),
    errors,
  };
}

const none = (): void => undefined;

/** Divides into lines; one that is too long is dropped, so that it cannot fill the memory. */
class Lines {
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly sink: LineOutput) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.sink.maxLineBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #finish(): void {
    const [parts, bytes] = [this.#parts, this.#bytes];
    this.#parts = [];
    this.#bytes = 0;
    if (bytes > this.sink.maxLineBytes) this.sink.tooLong(bytes);
    else this.sink.line(Buffer.concat(parts).toString('utf8').replace(/\r$/, ''));
  }
}
