import type { Coloured } from '@renderer/ui/code/highlight';
import type { TextRange } from '@renderer/ui/code/word-changes';
import { Fragment, memo, type ReactNode } from 'react';
import type { HunkLine } from '../../../contract/hunk-lines';
import { CommentCard, CommentForm } from '../comment-form';
import type { LineComment } from '../comments';
import styles from './line-rows.module.css';
import { LineText } from './line-text';

/** Comments on the lines of one file. */
export interface LineComments {
  readonly comments: readonly LineComment[];
  /** The key of the line whose comment is being written. */
  readonly writing: string | null;
  readonly sentWith: 'prompt' | 'answer';
  /** The key under which unfinished comments are saved. */
  readonly drafts: string;
  /** Begins a comment on a line; null closes it. */
  readonly write: (line: HunkLine | null) => void;
  readonly comment: (line: HunkLine, text: string) => void;
}

/** A line as it is drawn. */
export interface DrawnLine {
  readonly line: HunkLine;
  readonly coloured: readonly Coloured[] | null;
  readonly changed: readonly TextRange[];
}

interface LineRowsProps {
  readonly path: string;
  /** Each line once; or old beside new, where a line that is the same on both sides stands in both. */
  readonly rows: readonly (DrawnLine | readonly [old: DrawnLine | null, fresh: DrawnLine | null])[];
  readonly find: string;
  readonly review: LineComments | null;
}

const isPair = (
  row: LineRowsProps['rows'][number],
): row is readonly [old: DrawnLine | null, fresh: DrawnLine | null] => Array.isArray(row);

/** Some lines of a file, each followed by the comments on it. */
export function LineRows({ path, rows, find, review }: LineRowsProps) {
  const comment = review && ((line: HunkLine) => review.write(line));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the lines are no group of fields
    <div className={`${styles.lines} reads`} role="group" aria-label={`Lines of ${path}`}>
      {rows.map((row) => {
        if (!isPair(row))
          return (
            <Fragment key={row.line.key}>
              <Line {...row} find={find} side="both" onComment={comment} />
              {review && <LineReview path={path} line={row.line} review={review} />}
            </Fragment>
          );
        const [old, fresh] = row;
        const same = old?.line === fresh?.line;
        return (
          <Fragment key={`${old?.line.key}/${fresh?.line.key}`}>
            <div className={styles.pair}>
              <Half drawn={old} find={find} side="old" onComment={same ? null : comment} />
              <Half drawn={fresh} find={find} side="fresh" onComment={comment} />
            </div>
            {review && old && !same && <LineReview path={path} line={old.line} review={review} />}
            {review && fresh && <LineReview path={path} line={fresh.line} review={review} />}
          </Fragment>
        );
      })}
    </div>
  );
}

interface LineReviewProps {
  readonly path: string;
  readonly line: HunkLine;
  readonly review: LineComments;
}

function LineReview({ path, line, review }: LineReviewProps): ReactNode {
  const found = review.comments.filter(({ line: at, gone }) =>
    gone ? line.kind === 'removed' && line.old === at : line.fresh === at,
  );
  const writes = review.writing === line.key;
  if (found.length === 0 && !writes) return null;
  return (
    <>
      {!writes &&
        found.map((comment) => (
          <CommentCard
            key={comment.line}
            comment={comment}
            onEdit={() => review.write(line)}
            onRemove={() => review.comment(line, '')}
          />
        ))}
      {writes && (
        <CommentForm
          draft={`${review.drafts}/comment/${path}:${line.fresh ?? `-${line.old}`}`}
          place={`${path}:${line.fresh ?? line.old ?? ''}`}
          text={found[0]?.comment ?? ''}
          sentWith={review.sentWith}
          onKeep={(text) => review.comment(line, text)}
          onClose={() => review.write(null)}
        />
      )}
    </>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '−', note: ' ' };

interface LineProps extends DrawnLine {
  readonly find: string;
  readonly side: 'old' | 'fresh' | 'both';
  readonly onComment: ((line: HunkLine) => void) | null;
}

function Half({
  drawn,
  ...rest
}: Pick<LineProps, 'find' | 'side' | 'onComment'> & { drawn: DrawnLine | null }) {
  return drawn === null ? <div className={styles.empty} /> : <Line {...drawn} {...rest} />;
}

const Line = memo(
  function Line({ line, coloured, changed, find, side, onComment }: LineProps) {
    const number = line.fresh ?? line.old;
    return (
      <div className={`diff-line ${line.kind}`}>
        {side !== 'fresh' && <span className="diff-number">{line.old ?? ''}</span>}
        {side !== 'old' && <span className="diff-number">{line.fresh ?? ''}</span>}
        {number === null || onComment === null ? (
          <span className="diff-sign">{SIGNS[line.kind]}</span>
        ) : (
          <button
            type="button"
            className={`diff-sign ${styles.sign}`}
            tabIndex={-1}
            title={`Comment on line ${number}`}
            aria-label={`Comment on line ${number}`}
            onClick={() => onComment(line)}
          >
            {SIGNS[line.kind]}
          </button>
        )}
        <span className="diff-text">
          <LineText text={line.text} coloured={coloured} changed={changed} find={find} />
        </span>
      </div>
    );
  },
  (a, b) =>
    a.line === b.line &&
    a.coloured === b.coloured &&
    a.changed === b.changed &&
    a.find === b.find &&
    (a.onComment === null) === (b.onComment === null),
);
