import { useReadable } from '@renderer/client/hooks';
import { openGates } from '@renderer/client/lists/lists';
import { hashOf } from '@renderer/client/route';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Note } from '@renderer/ui/layout/note';
import { interruptedTurnGate } from '../../../contract/interrupted-turn-gate';
import type { GateFace } from '../face';

/** Which question comes first, if the turn that asked this one was cut off. */
export function InterruptedTurnNote({ gate }: { gate: GateFace }) {
  const { value } = useReadable(openGates);
  const first = gate.status === 'open' ? interruptedTurnGate(gate, value ?? []) : undefined;
  if (first === undefined) return null;
  return (
    <Note tone="waits">
      The turn that asked this was cut off. First answer{' '}
      <a href={hashOf('gate', first.runId, first.gateId)}>{inPlainSight(first.title)}</a>. Your answer here is
      given if the agent asks the same again.
    </Note>
  );
}
