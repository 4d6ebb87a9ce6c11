import { type CancelLoss, cancelLosses } from '@contract/run/cancel-losses';
import type { RunState } from '@contract/run/state';
import { plural } from '@renderer/client/format';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { Elapsed } from '@renderer/parts/text/ago';
import { Confirm } from '@renderer/ui/controls/dialog';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { type ReactNode, useState } from 'react';

interface CancelRun {
  readonly cancel: () => void;
  /** The confirmation, while it is open. */
  readonly question: ReactNode;
}

const MOST_NAMED = 5;

/**
 * Cancels a run: at once if nothing is working, otherwise after a confirmation that names what will be
 * interrupted.
 */
export function useCancelRun(runId: number, name: string, state: RunState | null): CancelRun {
  const [asking, setAsking] = useState(false);
  const losses = state === null ? [] : cancelLosses(state);
  const send = () => void attempt(call('run.cancel', { runId }));
  const cancel = () => (losses.length === 0 ? send() : setAsking(true));
  // The work in question may have ended meanwhile; the run then continues, and the key asks again.
  const isOpen = asking && state?.status === 'running';
  const question = isOpen && (
    <Confirm
      title={`Cancel “${name}”?`}
      verb="Cancel the run"
      onConfirm={send}
      onClose={() => setAsking(false)}
    >
      {losses.length > 0 && (
        <>
          <p>This work is interrupted, and its unfinished answers are lost:</p>
          <ul aria-label="Interrupted work">
            {losses.slice(0, MOST_NAMED).map((loss) => (
              <Loss key={`${loss.kind} ${loss.name} ${loss.since}`} loss={loss} />
            ))}
            {losses.length > MOST_NAMED && <li>and {plural(losses.length - MOST_NAMED, 'other')}</li>}
          </ul>
        </>
      )}
      <p>Files that were changed so far stay in the folder of the run, and you can resume it later.</p>
    </Confirm>
  );
  return { cancel, question };
}

const Loss = ({ loss: { kind, name, since } }: { loss: CancelLoss }) => (
  <li>
    <strong className={kind === 'command' ? 'mono' : ''}>{inPlainSight(name)}</strong>, working for{' '}
    <Elapsed from={since} to={null} />
  </li>
);
