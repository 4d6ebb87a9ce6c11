import type { ToolCall, TranscriptItem, Usage } from '@contract/session/session';

/** A transcript as it is read: neighbouring pieces of text as one, each tool call once, in the place where it began. */
export type Block =
  | { readonly kind: 'text'; readonly key: number; readonly text: string }
  | { readonly kind: 'thought'; readonly key: number; readonly text: string }
  | { readonly kind: 'tool'; readonly key: number; readonly call: ToolCall }
  | { readonly kind: 'plan'; readonly key: number; readonly entries: readonly PlanEntry[] }
  | { readonly kind: 'notice'; readonly key: number; readonly text: string };

export type PlanEntry = Extract<TranscriptItem, { type: 'plan' }>['entries'][number];

export interface Transcript {
  /** How many items went into it: the index of the next one. */
  readonly length: number;
  readonly blocks: readonly Block[];
  readonly usage: Usage | null;
}

export const emptyTranscript: Transcript = { length: 0, blocks: [], usage: null };

/** Adds items to a transcript. Blocks that did not change stay the same objects. */
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
  const last = blocks.at(-1);
  switch (item.type) {
    case 'text':
    case 'thought':
      if (last?.kind === item.type) blocks[blocks.length - 1] = { ...last, text: last.text + item.text };
      else blocks.push({ kind: item.type, key, text: item.text });
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

/** What an arriving piece does to what is known: `null` where some in between are missing. */
export function receiveItems(
  transcript: Transcript,
  from: number,
  items: readonly TranscriptItem[],
): Transcript | null {
  if (from > transcript.length) return null;
  const fresh = items.slice(transcript.length - from);
  return fresh.length === 0 ? transcript : addItems(transcript, fresh);
}
