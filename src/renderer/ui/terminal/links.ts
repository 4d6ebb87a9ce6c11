import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm';

/** A link in the output of a program. */
export type TerminalLink =
  | { readonly kind: 'address'; readonly text: string; readonly url: string }
  | { readonly kind: 'file'; readonly text: string; readonly path: string; readonly line: number | null };

const ADDRESS = /\bhttps?:\/\/[^\s"'<>`|\\^{}]*[^\s"'<>`|\\^{}.,;:!?)\]]/g;
/**
 * `src/a.ts:12:3`, `src/a.ts(12,3)`, `/etc/hosts`, `./a.ts`: with a folder or a line, so that not every word
 * is a link.
 */
const FILE =
  /(?<![\w/.@+-])((?:\.{0,2}\/)?(?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*)(?::(\d{1,7})(?::\d{1,5})?|\((\d{1,7})(?:,\d{1,5})?\))?/g;

interface FoundLink {
  readonly at: number;
  readonly link: TerminalLink;
}

/** The links in a line, in order. */
export function linksIn(text: string): FoundLink[] {
  const addresses = [...text.matchAll(ADDRESS)].map(
    (match): FoundLink => ({ at: match.index, link: { kind: 'address', text: match[0], url: match[0] } }),
  );
  const within = (at: number): boolean =>
    addresses.some((one) => at >= one.at && at < one.at + one.link.text.length);
  const files = [...text.matchAll(FILE)].flatMap((match): FoundLink[] => {
    const [whole, path = '', colon, bracket] = match;
    const line = colon ?? bracket;
    const folder = path.includes('/') && !path.startsWith('//');
    const named = /\.[A-Za-z]\w{0,9}$/.test(path);
    if (
      within(match.index) ||
      !(line === undefined ? folder && (named || path.startsWith('/')) : folder || named)
    )
      return [];
    return [{ at: match.index, link: { kind: 'file', text: whole, path, line: line ? Number(line) : null } }];
  });
  return [...addresses, ...files].sort((one, other) => one.at - other.at);
}

/** A printed line, which may span several rows. */
function lineAround(terminal: Terminal, row: number): { first: number; text: string } {
  const buffer = terminal.buffer.active;
  let first = row;
  while (first > 0 && buffer.getLine(first)?.isWrapped) first -= 1;
  let text = buffer.getLine(first)?.translateToString(false) ?? '';
  for (let next = first + 1; buffer.getLine(next)?.isWrapped; next += 1)
    text += buffer.getLine(next)?.translateToString(false) ?? '';
  return { first, text };
}

/** Marks the links under the pointer; `open` is called for a link clicked with the key held. */
export function linkProvider(
  terminal: Terminal,
  open: (link: TerminalLink, event: MouseEvent) => void,
): ILinkProvider {
  return {
    provideLinks(y, give) {
      const { first, text } = lineAround(terminal, y - 1);
      const place = (at: number) => ({
        x: (at % terminal.cols) + 1,
        y: first + Math.floor(at / terminal.cols) + 1,
      });
      const links = linksIn(text).map(
        ({ at, link }): ILink => ({
          range: { start: place(at), end: place(at + link.text.length - 1) },
          text: link.text,
          activate: (event) => open(link, event),
        }),
      );
      give(links.length > 0 ? links : undefined);
    },
  };
}

/** The visible links, the lowest first, each once. */
export function linksInSight(terminal: Terminal): TerminalLink[] {
  const { viewportY } = terminal.buffer.active;
  const found = new Map<string, TerminalLink>();
  for (let row = viewportY + terminal.rows - 1; row >= viewportY; row -= 1) {
    const { first, text } = lineAround(terminal, row);
    for (const { link } of linksIn(text).reverse()) if (!found.has(link.text)) found.set(link.text, link);
    row = Math.min(row, first);
  }
  return [...found.values()];
}
