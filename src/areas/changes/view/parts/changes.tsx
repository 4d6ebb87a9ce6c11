import { useQuery } from '@renderer/client/hooks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Note } from '@renderer/ui/layout/note';
import { useEffect } from 'react';
import type { DiffScope } from '../../contract/diff-scope';
import { ReviewDesk } from './desk/desk';
import type { DiffReview } from './desk/use-desk';

interface ChangesProps {
  readonly runId: number;
  readonly of: DiffScope;
  readonly review?: DiffReview | null;
  /** Learns exactly which state of the changes is on the screen. */
  readonly onShown?: OnShown | undefined;
  readonly keys?: 'page' | 'focus';
}

export type OnShown = (of: DiffScope, shown: string) => void;

/** Changes of files to decide on, as they are in the repository now. */
export function Changes({ runId, of, review = null, onShown, keys = 'focus' }: ChangesProps) {
  const { value, error } = useQuery('workspace.diff', { runId, of });
  const shown = value?.shown ?? null;
  useEffect(() => {
    if (shown !== null) onShown?.(of, shown);
  });
  if (error) return <ErrorNote error={error} />;
  if (value === null) return null;
  return (
    <>
      {value.unread !== null && (
        <Note tone="waits">
          The folder cannot be read, so these are the changes as last recorded. {value.unread}
        </Note>
      )}
      {value.notes.map((note) => (
        <Note key={note} tone="waits">
          {inPlainSight(note)}
        </Note>
      ))}
      {value.files.length === 0 ? (
        <p className="quiet">No files changed.</p>
      ) : (
        <ReviewDesk
          files={value.files}
          folder={value.path}
          source={{ runId, of }}
          edits={value.edits}
          review={review}
          keys={keys}
        />
      )}
    </>
  );
}
