/** The text of a file, or why it is none. Byte order marks are dropped. */
export function decodeText(bytes: Uint8Array): { readonly text: string } | { readonly why: string } {
  if (bytes.length === 0) return { why: 'it is empty' };
  const [first, second] = bytes;
  const wide =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  try {
    const text = new TextDecoder(wide ?? 'utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return { why: 'it is binary' };
    return text.trim() === '' ? { why: 'it is empty' } : { text };
  } catch {
    return { why: bytes.subarray(0, 8_000).includes(0) ? 'it is binary' : 'it is no UTF-8 text' };
  }
}
