import { ReviewDesk } from '@areas/changes/view/parts/desk/desk';
import { useQuery } from '@renderer/client/hooks';
import { formatRoute } from '@renderer/client/route';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import styles from './round-diff.module.css';

interface RoundDiffProps {
  readonly runId: number;
  readonly turnId: number;
  readonly sessionId: number | null;
}

/** A round's changes in the chat; they are commented on in its session. */
export function RoundDiff({ runId, turnId, sessionId }: RoundDiffProps) {
  const of = { kind: 'turn', turnId } as const;
  const { value, error } = useQuery('workspace.diff', { runId, of });
  if (error) return <ErrorNote error={error} />;
  if (value === null) return null;
  const path = ['session', runId, sessionId ?? 0, 'turn', turnId].map(String);
  return (
    <div className={styles.roundDiff}>
      <ReviewDesk files={value.files} folder={value.path} source={{ runId, of }} edits={value.edits} />
      {sessionId !== null && (
        <p className="note quiet">
          <a href={formatRoute({ path, query: { show: 'changes' } })}>Comment in its session</a>
        </p>
      )}
    </div>
  );
}
