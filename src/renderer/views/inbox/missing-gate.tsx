import { Inbox } from 'lucide-react';
import { hashOf } from '../../client/route';
import { Empty } from '../../ui/note';

interface MissingGateProps {
  /** Null where there is no such run. */
  readonly run: string | null;
  readonly gate: string;
  /** The address is of a reply, a failure or a wait. */
  readonly beside: boolean;
}

/** The address of a gate that is in neither list: no other one is shown in its place. */
export function MissingGate({ run, gate, beside }: MissingGateProps) {
  if (beside) return <Empty icon={Inbox} title="This does not wait for you any more" />;
  return (
    <Empty icon={Inbox} title="This gate is not here">
      {run === null ? (
        <p>There is no such run.</p>
      ) : (
        <p>
          It is not in the list of those that wait, nor among the last that were closed.{' '}
          <a href={hashOf('run', run, 'gate', gate)}>Look in its run</a>
        </p>
      )}
    </Empty>
  );
}
