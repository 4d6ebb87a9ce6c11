import { cutOffFirst } from '@contract/gate/cut-off-first';
import { useReadable } from '../../../client/hooks';
import { openGates } from '../../../client/lists/lists';
import { hashOf } from '../../../client/route';
import { Note } from '../../../ui/layout/note';
import { inPlainSight } from '../../../ui/plain-sight';
import type { GateFace } from '../face';

/** Which question comes first, if the turn that asked this one was cut off. */
export function CutOffNote({ gate }: { gate: GateFace }) {
  const { value } = useReadable(openGates);
  const first = gate.status === 'open' ? cutOffFirst(gate, value ?? []) : undefined;
  if (first === undefined) return null;
  return (
    <Note tone="waits">
      The turn that asked this was cut off. First answer{' '}
      <a href={hashOf('gate', first.runId, first.gateId)}>{inPlainSight(first.title)}</a>. Your answer here is
      given if the agent asks the same again.
    </Note>
  );
}
