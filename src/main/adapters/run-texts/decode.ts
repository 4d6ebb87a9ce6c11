/** Why a file is not text. A generator can only end with it by throwing. */
export class NoText extends Error {
  constructor(readonly why: string) {
    super(why);
  }
}

/** The range in which a file that cannot be decoded is called binary. */
export const HEAD_BYTES = 8_000;

/** A file's text in pieces; throws `NoText`. Byte order marks are dropped. */
export async function* decoded(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let hasZero = false;
  let bytes = 0;
  let isBlank = true;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '';
    } catch {
      throw new NoText(hasZero ? 'it is binary' : 'it is not UTF-8 text');
    }
  };
  const checked = (text: string): string => {
    if (text.includes('\0')) throw new NoText('it is binary');
    isBlank &&= text.trim() === '';
    return text;
  };
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    if (bytes < HEAD_BYTES) hasZero ||= chunk.subarray(0, HEAD_BYTES - bytes).includes(0);
    bytes += chunk.length;
    yield checked(decode(chunk));
  }
  yield checked(decode());
  if (isBlank) throw new NoText('it is empty');
}

/** Whether a file that begins like this may be text. The last character may be cut. */
export function isTextHead(head: Uint8Array): boolean {
  try {
    const text = new TextDecoder(encodingOf(head), { fatal: true }).decode(head, { stream: true });
    return !text.includes('\0') && (text.trim() !== '' || head.length >= HEAD_BYTES);
  } catch {
    return false;
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
