import { Stack } from '@renderer/ui/lists/stack';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { LineComment } from '../comments';
import styles from './desk.module.css';
import { DeskHead } from './desk-head';
import { DeskRowView } from './desk-row-view';
import { type DeskRow, FILE_PX, fileKey } from './desk-rows';
import { FileTreeView } from './file-tree-view';
import { FindBar } from './find-bar';
import { type Desk, type DeskParts, useDesk } from './use-desk';
import { useDeskKeys } from './use-desk-keys';

interface ReviewDeskProps
  extends Pick<DeskParts, 'files' | 'folder'>,
    Partial<Pick<DeskParts, 'source' | 'edits' | 'review'>> {
  /** `page`: the keys work wherever the focus is; `focus`: while it is in the desk. */
  readonly keys?: 'page' | 'focus';
  /** Fills its place, instead of being as high as its lines up to a limit. */
  readonly fill?: boolean;
  /** What stands first in the head, and last. */
  readonly lead?: ReactNode;
  readonly tail?: ReactNode;
}

/** Of a desk among other things on a page: the decision below stays in sight. */
const MOST_HEIGHT = 'max(280px, 62vh)';

/** The review desk: all files of a change, and their lines, to be read, marked, commented and decided on. */
export function ReviewDesk(props: ReviewDeskProps) {
  const { files, folder, source = null, edits = null, review = null } = props;
  const { keys = 'focus', fill = false, lead, tail } = props;
  const desk = useDesk({ files, folder, source, edits, review });
  useDeskKeys(desk, { keys, fill });
  return (
    <section
      ref={desk.ref}
      className={`${styles.desk} ${fill ? styles.fill : ''}`}
      data-part="desk"
      aria-label="Changes"
      tabIndex={-1}
    >
      <DeskHead desk={desk} lead={lead} tail={tail} />
      {desk.find.open && <FindBar find={desk.find} />}
      <DeskBody desk={desk} fill={fill} />
    </section>
  );
}

/** The file at the upper edge. */
interface TopFile {
  readonly path: string;
  readonly isHead: boolean;
}

const NO_COMMENTS: readonly LineComment[] = [];

/** The tree and the lines. It is drawn again while it is scrolled from file to file, and the desk is not. */
function DeskBody({ desk, fill }: { readonly desk: Desk; readonly fill: boolean }) {
  const { rows } = desk;
  const [top, setTop] = useState<TopFile | null>(null);
  const byKey = useMemo(() => new Map(rows.map((row) => [row.key, row])), [rows]);
  const onTop = useCallback(
    (key: string | null) => {
      const row = byKey.get(key ?? '');
      const next = row === undefined ? null : { path: row.file.path, isHead: row.kind === 'file' };
      // Drawn again from file to file, and not from row to row.
      setTop((now) => (now?.path === next?.path && now?.isHead === next?.isHead ? now : next));
    },
    [byKey],
  );
  const stuck = top === null || top.isHead ? undefined : byKey.get(fileKey(top.path));
  const comments = desk.review?.comments ?? NO_COMMENTS;
  const commented = useMemo(() => countsByFile(comments), [comments]);
  const draw = useCallback(
    (row: DeskRow) =>
      // It is at the upper edge instead.
      row === stuck ? <div style={{ height: FILE_PX }} /> : <DeskRowView row={row} desk={desk} />,
    [desk, stuck],
  );
  return (
    <div className={`${styles.body} ${desk.beside ? styles.beside : ''}`}>
      {desk.tree?.shown && (
        <FileTreeView
          files={desk.files}
          filter={desk.filter}
          onFilter={desk.setFilter}
          field={desk.filterField}
          isViewed={desk.marks.isViewed}
          comments={commented}
          current={desk.now?.file.path ?? top?.path ?? null}
          onGo={desk.goToFile}
        />
      )}
      <div className={styles.rows}>
        {stuck !== undefined && (
          <div className={styles.stuck}>
            <DeskRowView row={stuck} desk={desk} />
          </div>
        )}
        <Stack
          label="Changed lines"
          rows={rows}
          draw={draw}
          handle={desk.stack}
          onTop={onTop}
          exact
          coveredOf={coveredOf}
          most={fill ? undefined : MOST_HEIGHT}
        />
      </div>
    </div>
  );
}

/** The head of the file in sight stays at the upper edge. */
const coveredOf = ({ kind }: DeskRow): number => (kind === 'file' ? 0 : FILE_PX);

function countsByFile(comments: readonly LineComment[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of comments) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}
