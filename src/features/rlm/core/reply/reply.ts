import { parseFences } from './fences';
import { type Final, findFinal } from './final';

/** The parsed parts of a root model's reply. */
export interface Reply {
  /** Code of the `repl` blocks, in order; empty blocks are left out. */
  readonly blocks: readonly string[];
  /** The reply ends inside a `repl` block, which therefore is not run. */
  readonly cutOff: boolean;
  /** An ending in the text outside all fenced blocks. */
  readonly final: Final | null;
}

/**
 * Parses a reply (seed 001). Only blocks tagged `repl` are code; an ending inside another block is quoted
 * text.
 */
export function parseReply(text: string): Reply {
  const blocks: string[] = [];
  let cutOff = false;
  const lines: string[] = [];
  for (const part of parseFences(text)) {
    if (part.kind === 'text') lines.push(part.line);
    else if (part.language !== 'repl') lines.push(...quoted(part.raw));
    else if (!part.closed) cutOff = true;
    else if (part.code.trim() !== '') blocks.push(part.code);
  }
  return { blocks, cutOff, final: findFinal(lines) };
}

/**
 * A fenced block may be part of an answer, but a marker inside it does not count: the block becomes a single
 * entry with line breaks.
 */
const quoted = (raw: string): readonly string[] => [raw];
