import { hashOf } from '@renderer/client/route';
import { Empty } from '@renderer/ui/layout/note';
import { Inbox } from 'lucide-react';

interface MissingGateProps {
  /** Null if there is no such run. */
  readonly run: string | null;
  readonly gate: string;
  /** The address names a reply, a failure or a wait. */
  readonly beside: boolean;
}

/** For the address of a gate that is in neither list: no other gate is shown in its place. */
export function MissingGate({ run, gate, beside }: MissingGateProps) {
  if (beside) {
    return (
      <Empty icon={Inbox} title="This no longer needs you">
        It was answered, or went on by itself.
      </Empty>
    );
  }
  return (
    <Empty icon={Inbox} title="Gate not found">
      {run === null ? (
        <p>There is no such run.</p>
      ) : (
        <p>
          It is neither open nor among the recently closed gates.{' '}
          <a href={hashOf('run', run, 'gate', gate)}>Look in its run</a>
        </p>
      )}
    </Empty>
  );
}
