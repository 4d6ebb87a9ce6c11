import type { Json } from '@contract/ids';
import { isCollection, isScalar } from 'yaml';
import { lineEnd, lineStart, type Source, type Splice } from '../splice';
import { columnOf, isFirstInLine, type Slot } from './nodes';
import { type Block, inBlock, indented, inFlow, quoted, type Style } from './render';

/** The edited text, and how its lists are formatted. */
export interface Editing extends Source {
  readonly flatLists: boolean;
  /** Steps that become a new step's body keep their existing text. */
  readonly keepsText: boolean;
}

/** Replaces a value. Comments around it stay. */
export function put(editing: Editing, slot: Slot, value: Json): Splice[] {
  const { text, eol } = editing;
  const keep = slot.anchor === null ? '' : `${slot.anchor} `;
  const space =
    slot.start === slot.intro && slot.kind !== 'root' && !(slot.flow && slot.kind === 'entry') ? ' ' : '';
  if (slot.flow)
    return [
      {
        from: slot.start,
        to: slot.stop,
        text: `${slot.noColon ? ':' : ''}${space}${keep}${inFlowAs(slot.node, value)}`,
      },
    ];
  const block = inBlock(value, slot.kind === 'entry' ? 'entry' : 'pair', styleOf(editing, slot, value));
  const column = slot.kind === 'root' ? -2 : slot.column;
  const lines = slot.kind === 'root' ? block.lines.map((one) => one.slice(2)) : indented(block.lines, column);
  const body = lines.map((one) => eol + one).join('');
  if (slot.kind === 'root') return putRoot(editing, slot, { head: block.head, lines });
  const header = headerEnd(text, slot);
  if (header !== null) {
    // A comment after a block scalar's header stays there.
    const bodyFrom = lineEnd(text, header);
    return [
      { from: slot.start, to: header, text: keep + block.head },
      { from: bodyFrom, to: Math.max(bodyFrom, slot.stop), text: body },
    ];
  }
  if (startsBelow(text, slot)) return putBelow(editing, slot, { keep, head: block.head, body, value });
  const many = text.slice(slot.start, slot.stop).includes('\n') && isBlockCollection(slot.node);
  // A comment after the last removed line would become part of a text.
  const stop = many ? lineEnd(text, slot.stop) : slot.stop;
  const head = `${keep}${block.head}`.trimEnd();
  const from = head === '' ? trimmed(text, slot) : slot.start;
  const first = { from, to: stop, text: head === '' ? '' : space + head };
  const at = lineEnd(text, stop);
  return body === '' ? [first] : [first, { from: at, to: at, text: body }];
}

/** In the old text's quotes. */
function inFlowAs(node: unknown, value: Json): string {
  const quotes = quotesOf(node);
  return typeof value === 'string' && quotes !== null && !/[\n\r]/.test(value)
    ? quoted(value, quotes)
    : inFlow(value);
}

const quotesOf = (node: unknown): Style['quotes'] =>
  isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') ? node.type : null;

const isBlockCollection = (node: unknown): boolean => isCollection(node) && node.flow !== true;

/** The value begins on a line below its key or dash. */
const startsBelow = (text: string, { intro, start, node }: Slot): boolean =>
  isBlockCollection(node) && lineStart(text, start) > intro;

/** The end of `|-` or `>2+`; null if the value is not a block scalar. */
function headerEnd(text: string, { node }: Slot): number | null {
  if (!isScalar(node) || (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED')) return null;
  const start = node.range?.[0] ?? 0;
  return start + (/^[|>][-+0-9]*/.exec(text.slice(start, start + 8))?.[0].length ?? 1);
}

function trimmed(text: string, { start, intro }: Slot): number {
  let from = start;
  while (from > intro && text[from - 1] === ' ') from -= 1;
  return from;
}

interface Below {
  readonly keep: string;
  readonly head: string;
  readonly body: string;
  readonly value: Json;
}

/** The old value is a block below its key. Comments in between stay if the new one is a block too. */
function putBelow({ text }: Editing, slot: Slot, { keep, head, body, value }: Below): Splice[] {
  const anchor = keep === '' ? '' : ` ${keep.trimEnd()}`;
  const stop = lineEnd(text, slot.stop);
  const start = nodeStart(slot);
  const intro = { from: slot.intro, to: Math.max(slot.intro, anchorEnd(slot)), text: anchor };
  if (head === '' && typeof value === 'object') {
    const before = lineStart(text, start);
    // Without the preceding line end, which stays.
    const lines = body.replace(/^\r?\n/, '');
    return [...(anchor === '' ? [] : [intro]), { from: before, to: stop, text: lines }];
  }
  const first = lineEnd(text, slot.intro);
  return [
    { ...intro, text: `${anchor} ${head}` },
    { from: first, to: stop, text: body },
  ];
}

const nodeStart = ({ node, start }: Slot): number =>
  (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? start;
const anchorEnd = ({ anchor, start, intro }: Slot): number =>
  anchor === null ? intro : start + anchor.length;

/** The whole document. */
function putRoot({ text, eol }: Editing, { node, start, stop }: Slot, { head, lines }: Block): Splice[] {
  const put = [...(head === '' ? [] : [head]), ...lines].join(eol);
  if (node !== null) return [{ from: start, to: stop, text: put }];
  const gap = text.replace(/^\uFEFF/, '') === '' || text.endsWith('\n') ? '' : eol;
  return [{ from: text.length, to: text.length, text: gap + put + eol }];
}

/** The formatting of the old value. */
export function styleOf({ text, flatLists }: Editing, slot: Slot, value?: Json): Style {
  const { node, column } = slot;
  const base = { indent: 2, flatLists, quotes: quotesOf(node) };
  if (slot.kind !== 'pair') return base;
  if (headerEnd(text, slot) !== null) {
    const body = /^ *(?=[^ \r\n])/m.exec(
      text.slice(Math.min(lineEnd(text, slot.start) + 1, slot.stop), slot.stop),
    );
    const indent = (body?.[0].length ?? 0) - column;
    // An explicit indentation indicator overrides the first line's indentation.
    return indent >= 1 && indent <= 9 && typeof value === 'string' ? { ...base, indent } : base;
  }
  if (!startsBelow(text, slot)) return base;
  const start = nodeStart(slot);
  if (!isFirstInLine(text, start)) return base;
  const indent = columnOf(text, start) - column;
  return indent === 0
    ? { ...base, flatLists: true }
    : { ...base, indent: Math.min(Math.max(indent, 1), 9), flatLists: flatLists && !Array.isArray(value) };
}
