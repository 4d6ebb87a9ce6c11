import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { HOST_FRAME_BYTES } from '../contract/limits';
import { HOST_PREAMBLE } from '../contract/wire';
import { noise, QUIET_SHELL } from '../core/foreign-text';

const HEAD = 4;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A message as bytes: its length, then JSON. */
export function frameOf(message: unknown): Uint8Array {
  const body = encoder.encode(JSON.stringify(message));
  const frame = new Uint8Array(HEAD + body.length);
  new DataView(frame.buffer).setUint32(0, body.length);
  frame.set(body, HEAD);
  return frame;
}

/** Divides a stream of bytes into messages. After an error it takes nothing more. */
export class FrameReader {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #broken = false;

  push(chunk: Uint8Array): Result<unknown[]> {
    if (this.#broken) return ok([]);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const messages: unknown[] = [];
    while (this.#bytes >= HEAD) {
      const length = new DataView(this.#peek(HEAD).buffer).getUint32(0);
      if (length > HOST_FRAME_BYTES) return this.#refuse(`a message of ${Math.round(length / 1e6)} MB`);
      if (this.#bytes < HEAD + length) break;
      const body = this.#take(HEAD + length).subarray(HEAD);
      try {
        messages.push(JSON.parse(decoder.decode(body)));
      } catch {
        return this.#refuse('a message that is not JSON');
      }
    }
    return ok(messages);
  }

  #refuse(what: string): Result<never> {
    this.#broken = true;
    this.#chunks.length = 0;
    return err(
      appError('host.protocol', `The other side sent ${what}, which no Muster sends.`, {
        mend: 'Check that nothing else answers in place of the program muster-host.',
      }),
    );
  }

  /** A copy of the first bytes. */
  #peek(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    let filled = 0;
    for (const chunk of this.#chunks) {
      if (filled === count) break;
      const part = chunk.subarray(0, count - filled);
      bytes.set(part, filled);
      filled += part.length;
    }
    return bytes;
  }

  #take(count: number): Uint8Array {
    const bytes = this.#peek(count);
    let left = count;
    while (left > 0) {
      const first = this.#chunks[0];
      if (first === undefined) break;
      if (first.length > left) this.#chunks[0] = first.subarray(left);
      else this.#chunks.shift();
      left -= Math.min(left, first.length);
    }
    this.#bytes -= count;
    return bytes;
  }
}

/** Finds the preamble, before which a login shell may have printed something. */
export class PreambleReader {
  #text = '';

  /** The bytes after the preamble; null if it is not complete; an error if something else stands before it. */
  push(chunk: Uint8Array): Result<Uint8Array | null> {
    // One character a byte, so that an offset in the text is one in the bytes.
    const before = this.#text.length;
    for (const byte of chunk) this.#text += String.fromCharCode(byte);
    const at = this.#text.indexOf(HOST_PREAMBLE);
    if (at === 0) return ok(chunk.subarray(HOST_PREAMBLE.length - before));
    if (at < 0 && HOST_PREAMBLE.startsWith(this.#text)) return ok(null);
    return fail('host.unfit', noise(this.#text.slice(0, at < 0 ? undefined : at)), { mend: QUIET_SHELL });
  }
}
