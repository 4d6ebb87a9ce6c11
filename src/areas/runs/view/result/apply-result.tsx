import type { DiffScope } from '@areas/changes/contract/diff-scope';
import { Changes } from '@areas/evidence/view/parts/changes';
import type { AppError } from '@contract/errors';
import { plural } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { say } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';
import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import styles from './apply-result.module.css';

interface ApplyResultProps {
  readonly runId: number;
  readonly step: string | undefined;
  readonly onClose: () => void;
}

/** Shows what applying a result would change in the checkout, and applies exactly that. */
export function ApplyResult({ runId, step, onClose }: ApplyResultProps) {
  const of: DiffScope = { kind: 'result', ...(step === undefined ? {} : { step }) };
  const { value } = useQuery('workspace.diff', { runId, of });
  const [applying, setApplying] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const apply = async (shown: string) => {
    setApplying(true);
    const done = await call('run.apply', { runId, shown, ...(step === undefined ? {} : { step }) });
    setApplying(false);
    if (!done.ok) {
      setError(done.error);
      return refresh('workspace.diff');
    }
    const { kind, target, files } = done.value;
    const applied = `Applied to ${target}: ${plural(files, 'file')} changed`;
    say(kind === 'already' ? `${target} already has this result` : applied);
    onClose();
  };
  return (
    <Question
      title="Apply to your checkout"
      className={styles.apply ?? ''}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            icon={GitMerge}
            tone="primary"
            disabled={applying || value === null}
            onClick={() => value && void apply(value.shown)}
          >
            {applying ? 'Applying' : 'Apply'}
          </Button>
        </>
      }
    >
      {error && <ErrorNote error={error} />}
      <div className={`${styles.changes} scroll`}>
        <Changes runId={runId} of={of} />
      </div>
    </Question>
  );
}
