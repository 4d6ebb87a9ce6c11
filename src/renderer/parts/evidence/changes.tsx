import type { DiffScope } from '@contract/workspace/diff-scope';
import { useQuery } from '../../client/hooks';
import { DiffFiles, type DiffReview } from '../diff/diff-files';
import { ErrorNote } from '../problems/error-note';

interface ChangesProps {
  readonly runId: number;
  readonly of: DiffScope;
  readonly review?: DiffReview | null;
}

/** Changes of files to decide on, as they are in the repository now. */
export function Changes({ runId, of, review = null }: ChangesProps) {
  const { value, error } = useQuery('workspace.diff', { runId, of });
  if (error?.code === 'not_found')
    return <p className="quiet">No snapshot shows what changed. Look in the folder itself.</p>;
  if (error) return <ErrorNote error={error} />;
  if (value === null) return null;
  if (value.files.length === 0) return <p className="quiet">No files changed.</p>;
  return <DiffFiles files={value.files} folder={value.path} truncated={value.truncated} review={review} />;
}
