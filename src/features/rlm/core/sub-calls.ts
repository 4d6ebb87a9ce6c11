import type { RunEvent } from '@contract/run/events';
import type { BlockState, RlmState, SubCall } from '../contract/state';

/** A sub-call with its place. */
interface PlacedCall {
  readonly batch: number;
  readonly index: number;
  readonly call: SubCall;
}

export const callsOf = ({ batches }: Pick<BlockState, 'batches'>): PlacedCall[] =>
  batches.flatMap(({ calls }, batch) => calls.map((call, index) => ({ batch, index, call })));

export const inFlight = ({ call }: PlacedCall): boolean => call.started && call.answer === null;

/** The events that send the running block's next sub-calls. */
export function callsToStart({ activationId, blocks }: RlmState, atOnce: number): RunEvent[] {
  const block = blocks.at(-1);
  if (block === undefined || block.end !== null) return [];
  const calls = callsOf(block);
  const room = Math.max(0, atOnce - calls.filter(inFlight).length);
  return calls
    .filter(({ call }) => !call.started)
    .slice(0, room)
    .map((placed) => ({ type: 'rlm.call-started', ...placeOf(activationId, block, placed) }));
}

export const placeOf = (
  activationId: number,
  { turnId, block }: Pick<BlockState, 'turnId' | 'block'>,
  { batch, index, call }: PlacedCall,
) => ({ activationId, turnId, block, batch, index, prompt: call.prompt.sha256 });
