import type { GateState } from '@contract/run/state';
import type { Block } from '@renderer/client/runs/transcript';

type ToolBlock = Extract<Block, { kind: 'tool' }>;

/** A piece in the list of a turn. */
export type Piece =
  | { readonly kind: 'one'; readonly key: string; readonly block: Block }
  | { readonly kind: 'tools'; readonly key: string; readonly blocks: readonly ToolBlock[] }
  | { readonly kind: 'gate'; readonly key: string; readonly gate: GateState };

/**
 * Groups consecutive tool calls as one piece and puts each gate after its tool call; everything else is a
 * piece of its own. Empty texts are left out. Gates without a known tool call come last.
 */
export function pieces(blocks: readonly Block[], gates: readonly GateState[]): Piece[] {
  const placed = placeGates(blocks, gates);
  const out: Piece[] = [];
  for (const block of blocks) {
    if ((block.kind === 'text' || block.kind === 'thought') && block.text.trim() === '') continue;
    const last = out.at(-1);
    if (block.kind !== 'tool') out.push({ kind: 'one', key: `b${block.key}`, block });
    else if (last?.kind === 'tools') out[out.length - 1] = { ...last, blocks: [...last.blocks, block] };
    else out.push({ kind: 'tools', key: `t${block.key}`, blocks: [block] });
    for (const gate of placed.get(block.key) ?? []) out.push(pieceOf(gate));
  }
  const known = new Set([...placed.values()].flat());
  return [...out, ...gates.filter((gate) => !known.has(gate)).map(pieceOf)];
}

const pieceOf = (gate: GateState): Piece => ({ kind: 'gate', key: `g${gate.id}`, gate });

/**
 * A permission has the title and kind of its tool call, not its number, which changes after a restart: the
 * first question of a name belongs to the first call of that name, and so on.
 */
function placeGates(blocks: readonly Block[], gates: readonly GateState[]): Map<number, GateState[]> {
  const placed = new Map<number, GateState[]>();
  const taken = new Set<number>();
  for (const gate of gates) {
    const { request } = gate;
    if (request === null) continue;
    const block = blocks.find(
      (one) =>
        one.kind === 'tool' &&
        !taken.has(one.key) &&
        one.call.title === request.title &&
        one.call.kind === request.kind,
    );
    if (!block) continue;
    taken.add(block.key);
    placed.set(block.key, [...(placed.get(block.key) ?? []), gate]);
  }
  return placed;
}

/** Above this many pieces of one turn, the first ones are drawn only on demand. */
export const MOST_PIECES = 80;
