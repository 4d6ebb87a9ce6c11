import { extname } from 'node:path';

const at = (text: string, offset: number, content: Buffer): boolean =>
  content.subarray(offset, offset + text.length).toString('latin1') === text;

/** How the formats that a window can draw begin. */
const BEGINNINGS: readonly (readonly [type: string, fits: (content: Buffer) => boolean])[] = [
  ['image/png', (content) => at('\x89PNG\r\n\x1a\n', 0, content)],
  ['image/jpeg', (content) => at('\xff\xd8\xff', 0, content)],
  ['image/gif', (content) => at('GIF87a', 0, content) || at('GIF89a', 0, content)],
  ['image/webp', (content) => at('RIFF', 0, content) && at('WEBP', 8, content)],
  ['image/avif', (content) => at('ftypavif', 4, content)],
  ['image/bmp', (content) => at('BM', 0, content)],
  ['image/x-icon', (content) => at('\0\0\x01\0', 0, content)],
];

/** The type of a picture by its content; null if it is none. A name proves nothing, except that a text is a drawing. */
export function imageType(path: string, content: Buffer): string | null {
  const found = BEGINNINGS.find(([, fits]) => fits(content));
  if (found !== undefined) return found[0];
  const isDrawing = extname(path).toLowerCase() === '.svg' && /<svg[\s>]/.test(content.toString('utf8'));
  return isDrawing ? 'image/svg+xml' : null;
}
