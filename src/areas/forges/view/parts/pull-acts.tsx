import type { AppError } from '@contract/errors';
import { useHandlers, useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { newUid } from '@renderer/client/sending/uid';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ActButton } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Printed } from '@renderer/ui/code/code';
import { Button } from '@renderer/ui/controls/button';
import { Select } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { Note } from '@renderer/ui/layout/note';
import { GitMerge, RefreshCw, RotateCw, Square, Upload, Wrench } from 'lucide-react';
import { useState } from 'react';
import type { PullPreview, PullRecord } from '../../contract/pull';
import { canFix } from '../../contract/verdict';
import styles from './pull.module.css';
import { PullMerge } from './pull-merge';
import { PullSend } from './pull-send';

interface PullActsProps {
  readonly record: PullRecord;
  /** The commit of the run's result; null while it works. */
  readonly commit: string | null;
}

/** What can be done with an open pull request now. */
export function PullActs({ record, commit }: PullActsProps) {
  const { runId, view, fix, asked, error, state } = record;
  const [update, setUpdate] = useState<PullPreview | null>(null);
  const [merging, setMerging] = useState(false);
  const [refused, setRefused] = useState<AppError | null>(null);
  const { busy, act } = useBusy();
  const fixing = fix !== null && fix.ended === null;
  const isNew = state === 'open' && commit !== null && commit !== record.result && !fixing;
  const failed = asked !== null && error !== null;
  const fixable = canFix(record) && commit !== null;
  const canMerge = state === 'open' && view !== null && view.conflict !== 'conflict' && !fixing;
  const showUpdate = () =>
    act(async () => {
      const preview = await call('pull.preview', { runId });
      setRefused(preview.ok ? null : preview.error);
      if (preview.ok) setUpdate(preview.value);
    });
  const send = (rounds: number) =>
    act(async () => {
      const key = newUid();
      const done = rounds > 0 ? `Fixing, at most ${rounds} rounds` : 'Sent to the agent';
      await attempt(call('pull.fix', { runId, key, rounds }), done);
    });
  const retry = () => act(() => attempt(call('pull.retry', { runId }), 'Sent'));
  const [rounds, setRounds] = useState(3);
  useHandlers({
    'pull.update': isNew && !busy ? () => void showUpdate() : null,
    'pull.fix': fixable && !busy ? () => void send(0) : null,
    'pull.rounds': fixable && !busy ? () => void send(rounds) : null,
    'pull.stop': fixing ? () => void act(() => attempt(call('pull.stopFix', { runId }))) : null,
    'pull.merge': canMerge && !busy ? () => setMerging(true) : null,
  });
  if (update !== null) {
    const back = () => setUpdate(null);
    return <PullSend preview={update} onBack={back} onSent={back} />;
  }
  return (
    <>
      {refused && <ErrorNote error={refused} live />}
      {isNew && <Note tone="waits">The run has a new result, which is not in the pull request yet.</Note>}
      <div className={styles.acts}>
        {failed && (
          <Button tone="primary" icon={RotateCw} disabled={busy} onClick={() => void retry()}>
            Send again
          </Button>
        )}
        {isNew && (
          <ActButton action="pull.update" tone="primary" icon={Upload} disabled={busy}>
            Update
          </ActButton>
        )}
        {fixable && (
          <ActButton action="pull.fix" tone={isNew ? 'plain' : 'primary'} icon={Wrench} disabled={busy}>
            Fix
          </ActButton>
        )}
        {fixing && (
          <ActButton action="pull.stop" icon={Square}>
            Stop fixing
          </ActButton>
        )}
        {canMerge && (
          <ActButton
            action="pull.merge"
            tone={isNew || fixable ? 'plain' : 'primary'}
            icon={GitMerge}
            disabled={busy}
          >
            Merge
          </ActButton>
        )}
      </div>
      {fixable && <Rounds rounds={rounds} onRounds={setRounds} disabled={busy} />}
      {fixable && <WhatIsSent runId={runId} />}
      {merging && view !== null && (
        <PullMerge record={record} view={view} onClose={() => setMerging(false)} />
      )}
    </>
  );
}

/** One act at a time; afterwards the record is read again. */
function useBusy() {
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    try {
      await work();
      await refresh('pull.record');
    } finally {
      setBusy(false);
    }
  };
  return { busy, act };
}

interface RoundsProps {
  readonly rounds: number;
  readonly onRounds: (rounds: number) => void;
  readonly disabled: boolean;
}

function Rounds({ rounds, onRounds, disabled }: RoundsProps) {
  return (
    <div className={styles.acts}>
      <ActButton action="pull.rounds" icon={RefreshCw} disabled={disabled}>
        Fix in rounds
      </ActButton>
      <Select
        aria-label="Most rounds"
        className={styles.rounds}
        value={rounds}
        onChange={(event) => onRounds(Number(event.target.value))}
      >
        {[1, 2, 3, 5, 10].map((count) => (
          <option key={count} value={count}>
            {count === 1 ? '1 round' : `${count} rounds`}
          </option>
        ))}
      </Select>
    </div>
  );
}

const WhatIsSent = ({ runId }: { readonly runId: number }) => (
  <Fold head="What the agent gets">
    <FixPrompt runId={runId} />
  </Fold>
);

function FixPrompt({ runId }: { readonly runId: number }) {
  const { value, error } = useQuery('pull.fixPreview', { runId });
  if (error) return <ErrorNote error={error} />;
  if (value === null) return <p className="quiet">Reading the pull request</p>;
  return <Printed text={value.prompt} label="Prompt that the agent gets" />;
}
