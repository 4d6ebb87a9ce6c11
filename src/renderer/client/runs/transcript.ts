import type { ToolCall, TranscriptItem, Usage } from '@areas/sessions/contract/session';

/**
 * A transcript as displayed: adjacent pieces of text are joined, each tool call appears once, where it began.
 */
export type Block =
  | {
      readonly kind: 'text';
      readonly key: number;
      readonly text: string;
      /** The agent's own id of the message, if it reports one. */
      readonly message?: string | undefined;
    }
  | { readonly kind: 'thought'; readonly key: number; readonly text: string }
  | { readonly kind: 'tool'; readonly key: number; readonly call: ToolCall }
  | { readonly kind: 'plan'; readonly key: number; readonly entries: readonly PlanEntry[] }
  | { readonly kind: 'notice'; readonly key: number; readonly text: string };

export type PlanEntry = Extract<TranscriptItem, { type: 'plan' }>['entries'][number];

export interface Transcript {
  /** Number of items included: the index of the next one. */
  readonly length: number;
  readonly blocks: readonly Block[];
  readonly usage: Usage | null;
}

export const emptyTranscript: Transcript = { length: 0, blocks: [], usage: null };

/** Adds items to a transcript. Unchanged blocks stay the same objects. */
export function addItems(transcript: Transcript, items: readonly TranscriptItem[]): Transcript {
  const blocks = [...transcript.blocks];
  let usage = transcript.usage;
  let key = transcript.length;
  for (const item of items) {
    if (item.type === 'usage') usage = item.usage;
    else addItem(blocks, item, key);
    key += 1;
  }
  return { length: key, blocks, usage };
}

function addItem(blocks: Block[], item: Exclude<TranscriptItem, { type: 'usage' }>, key: number): void {
  switch (item.type) {
    case 'text':
    case 'thought':
      addText(blocks, item, key);
      return;
    case 'notice':
      blocks.push({ kind: 'notice', key, text: item.text });
      return;
    case 'plan': {
      const at = blocks.findIndex((block) => block.kind === 'plan');
      if (at >= 0) blocks[at] = { kind: 'plan', key: blocks[at]?.key ?? key, entries: item.entries };
      else blocks.push({ kind: 'plan', key, entries: item.entries });
      return;
    }
    case 'tool': {
      const at = blocks.findLastIndex((block) => block.kind === 'tool' && block.call.id === item.call.id);
      const known = blocks[at];
      if (known?.kind === 'tool') blocks[at] = { ...known, call: { ...known.call, ...item.call } };
      else blocks.push({ kind: 'tool', key, call: item.call });
      return;
    }
  }
}

/** A message that continues stays one block, even if a tool call began in the middle of it. */
function addText(
  blocks: Block[],
  item: Extract<TranscriptItem, { type: 'text' | 'thought' }>,
  key: number,
): void {
  const message = item.type === 'text' ? item.message : undefined;
  const at =
    message === undefined
      ? blocks.length - 1
      : blocks.findLastIndex((block) => block.kind === 'text' && block.message === message);
  const known = blocks[at];
  if (known?.kind === 'text' && item.type === 'text' && known.message === message)
    blocks[at] = { ...known, text: known.text + item.text };
  else if (known?.kind === 'thought' && item.type === 'thought')
    blocks[at] = { ...known, text: known.text + item.text };
  else blocks.push({ kind: item.type, key, text: item.text, ...(message === undefined ? {} : { message }) });
}

/** Adds a pushed piece to the transcript; `null` if items in between are missing. */
export function receiveItems(
  transcript: Transcript,
  from: number,
  items: readonly TranscriptItem[],
): Transcript | null {
  if (from > transcript.length) return null;
  const fresh = items.slice(transcript.length - from);
  return fresh.length === 0 ? transcript : addItems(transcript, fresh);
}
