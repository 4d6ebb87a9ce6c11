import type { AppError } from '@contract/errors';
import type { DiffScope } from '@contract/workspace/diff-scope';
import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import { plural } from '../../../client/format';
import { useQuery } from '../../../client/hooks';
import { call } from '../../../client/rpc';
import { say } from '../../../client/toasts';
import { refresh } from '../../../client/wire/query';
import { Changes } from '../../../parts/evidence/changes';
import { ErrorNote } from '../../../parts/problems/error-note';
import { Button } from '../../../ui/controls/button';
import { Question } from '../../../ui/controls/dialog';
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
