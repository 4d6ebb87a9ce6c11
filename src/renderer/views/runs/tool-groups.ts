import type { Block } from '../../client/transcript';

type ToolBlock = Extract<Block, { kind: 'tool' }>;

export type BlockGroup =
  | { readonly kind: 'one'; readonly block: Block }
  | { readonly kind: 'tools'; readonly key: number; readonly blocks: readonly ToolBlock[] };

/** Tool calls that follow on each other as one group; everything else by itself. Empty texts are left out. */
export function groupTools(blocks: readonly Block[]): BlockGroup[] {
  const groups: BlockGroup[] = [];
  for (const block of blocks) {
    if ((block.kind === 'text' || block.kind === 'thought') && block.text.trim() === '') continue;
    const last = groups.at(-1);
    if (block.kind !== 'tool') groups.push({ kind: 'one', block });
    else if (last?.kind === 'tools') groups[groups.length - 1] = { ...last, blocks: [...last.blocks, block] };
    else groups.push({ kind: 'tools', key: block.key, blocks: [block] });
  }
  return groups;
}
