import { useCaps } from '@renderer/parts/controls/act';
import { CodeLine } from '@renderer/ui/code/code-line';
import type { Coloured } from '@renderer/ui/code/highlight';
import { useHighlight } from '@renderer/ui/code/use-highlight';
import { Button } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { Check, MessageSquarePlus, Undo2, X } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import type { DiffHunk } from '../../contract/procedures';
import { CommentCard, CommentForm } from './comment-form';
import type { LineComment } from './comments';
import { firstChange, type HunkLine, hunkLines, twoSides } from './hunk-lines';
import styles from './hunk-view.module.css';
import type { HunkMark } from './marks';

/** The actions that decide on one hunk in its folder. */
interface HunkDecisions {
  readonly accept: (accepted: boolean) => void;
  readonly reject: () => void;
  /** Null if it can no longer be undone. */
  readonly undo: (() => void) | null;
}

export interface HunkActs {
  /** Null if all hunks are decided on together. */
  readonly decide: HunkDecisions | null;
  /** What a comment is sent with. */
  readonly sentWith: 'prompt' | 'answer';
  /** Begins a comment on a line; null closes it. */
  readonly write: (line: HunkLine | null) => void;
  readonly comment: (line: HunkLine, text: string) => void;
}

interface HunkViewProps {
  readonly path: string;
  readonly hunk: DiffHunk;
  readonly mark: HunkMark | null;
  /** The comments on this file. */
  readonly comments: readonly LineComment[];
  /** The line whose comment is being written. */
  readonly writing: string | null;
  /** The keys apply to this hunk. */
  readonly current: boolean;
  /** Null: read-only. */
  readonly acts: HunkActs | null;
  /** The key under which unfinished comments are saved. */
  readonly drafts: string;
}

/** Further lines are drawn on demand. */
const FIRST_LINES = 400;

/** Number of lines drawn per further request. */
const NEXT_LINES = 2_000;

/** One hunk of a file: its highlighted lines, its comments and its actions. */
export const HunkView = memo(function HunkView(props: HunkViewProps) {
  const { path, hunk, mark, comments, writing, current, acts, drafts } = props;
  const [most, setMost] = useState(FIRST_LINES);
  const lines = useMemo(() => hunkLines({ ...hunk, lines: hunk.lines.slice(0, most) }), [hunk, most]);
  const colours = useSides(path, lines);
  const left = hunk.lines.length - lines.length;
  return (
    <section
      className={`${styles.hunk} ${mark ?? ''} ${current ? 'current' : ''}`}
      data-part="hunk"
      aria-label={`Hunk at line ${hunk.newStart} of ${path}${mark ? `, ${mark}` : ''}`}
      aria-current={current ? 'location' : undefined}
    >
      {acts && <HunkHead hunk={hunk} mark={mark} keys={current} acts={acts} lines={lines} />}
      {/* biome-ignore lint/a11y/useSemanticElements: the lines are no group of fields */}
      <div
        className="diff-lines reads scroll"
        role="group"
        aria-label={`Lines of ${path}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by key
        tabIndex={0}
      >
        <div className="diff-inner">
          {lines.map((line, index) => (
            <div key={line.key}>
              <Line
                line={line}
                coloured={colours[index] ?? null}
                onComment={acts && (() => acts.write(line))}
              />
              {acts &&
                commentsOn(comments, line).map((comment) => (
                  <CommentCard
                    key={comment.line}
                    comment={comment}
                    onEdit={() => acts.write(line)}
                    onRemove={() => acts.comment(line, '')}
                  />
                ))}
              {acts && writing === line.key && (
                <CommentForm
                  draft={`${drafts}/comment/${path}:${line.fresh ?? `-${line.old}`}`}
                  place={`${path}:${line.fresh ?? line.old ?? ''}`}
                  text={commentsOn(comments, line)[0]?.comment ?? ''}
                  sentWith={acts.sentWith}
                  onKeep={(text) => acts.comment(line, text)}
                  onClose={() => acts.write(null)}
                />
              )}
            </div>
          ))}
        </div>
      </div>
      {left > 0 && (
        <button
          type="button"
          className={`text-button ${styles.hunkMore}`}
          onClick={() => setMost(most + NEXT_LINES)}
        >
          {left > NEXT_LINES
            ? `Show ${NEXT_LINES} of ${left} more lines`
            : `Show ${left === 1 ? '1 more line' : `${left} more lines`}`}
        </button>
      )}
    </section>
  );
});

const commentsOn = (comments: readonly LineComment[], line: HunkLine): LineComment[] =>
  comments.filter(({ line: at, gone }) =>
    gone ? line.kind === 'removed' && line.old === at : line.fresh === at,
  );

/** The syntax colours of each line, by its position in the hunk. */
function useSides(path: string, lines: readonly HunkLine[]): readonly (readonly Coloured[] | null)[] {
  const sides = useMemo(() => twoSides(lines), [lines]);
  const old = useHighlight(path, sides.old);
  const fresh = useHighlight(path, sides.fresh);
  return useMemo(
    () => sides.at.map((at) => (at && (at.side === 'old' ? old : fresh)?.[at.index]) ?? null),
    [sides, old, fresh],
  );
}

interface HunkHeadProps {
  readonly hunk: DiffHunk;
  readonly mark: HunkMark | null;
  readonly keys: boolean;
  readonly acts: HunkActs;
  readonly lines: readonly HunkLine[];
}

function HunkHead({ hunk, mark, keys, acts, lines }: HunkHeadProps) {
  const caps = {
    accept: useCaps('hunk.accept'),
    reject: useCaps('hunk.reject'),
    comment: useCaps(acts.sentWith === 'answer' ? 'gate.comment' : 'hunk.comment'),
    undo: useCaps('hunk.undo'),
  };
  const { decide } = acts;
  const of = (name: keyof typeof caps) => (keys ? caps[name] : []);
  return (
    <header className={styles.hunkHead}>
      <span className="mono faint">{placeOf(hunk)}</span>
      {mark === 'accepted' && (
        <span className="status done">
          <Glyph of={Check} size={13} /> <span>Accepted</span>
        </span>
      )}
      {mark === 'rejected' && (
        <span className="status failed">
          <Glyph of={X} size={13} /> <span>Taken back</span>
        </span>
      )}
      <span className="grow" />
      <Button
        tone="ghost"
        icon={MessageSquarePlus}
        caps={of('comment')}
        onClick={() => acts.write(firstChange(lines))}
      >
        Comment
      </Button>
      {decide !== null && mark !== 'rejected' && (
        <Button
          tone="ghost"
          icon={Check}
          caps={of('accept')}
          onClick={() => decide.accept(mark !== 'accepted')}
        >
          {mark === 'accepted' ? 'Undo accept' : 'Accept'}
        </Button>
      )}
      {decide !== null && <span className={styles.hunkGap} />}
      {decide !== null && mark !== 'rejected' && (
        <Button
          tone="ghost"
          icon={X}
          caps={of('reject')}
          tip="Reverts these lines in the folder"
          onClick={decide.reject}
        >
          Reject
        </Button>
      )}
      {mark === 'rejected' && decide?.undo && (
        <Button tone="ghost" icon={Undo2} caps={of('undo')} onClick={decide.undo}>
          Undo
        </Button>
      )}
    </header>
  );
}

/** `Line 12`, `Lines 12 to 18`: the new position of the hunk. */
function placeOf({ newStart, newLines, oldStart }: DiffHunk): string {
  if (newLines === 0) return `Before line ${Math.max(1, oldStart)}`;
  return newLines === 1 ? `Line ${newStart}` : `Lines ${newStart}–${newStart + newLines - 1}`;
}

const SIGNS = { same: ' ', added: '+', removed: '−', note: ' ' };

interface LineProps {
  readonly line: HunkLine;
  readonly coloured: readonly Coloured[] | null;
  readonly onComment: (() => void) | null;
}

const Line = memo(
  function Line({ line, coloured, onComment }: LineProps) {
    const number = line.fresh ?? line.old;
    return (
      <div className={`diff-line ${line.kind}`}>
        <span className="diff-number">{line.old ?? ''}</span>
        <span className="diff-number">{line.fresh ?? ''}</span>
        {number === null || onComment === null ? (
          <span className="diff-sign">{SIGNS[line.kind]}</span>
        ) : (
          <button
            type="button"
            className="diff-sign"
            tabIndex={-1}
            title={`Comment on line ${number}`}
            aria-label={`Comment on line ${number}`}
            onClick={onComment}
          >
            <span className={styles.diffSignMark}>{SIGNS[line.kind]}</span>
            <Glyph of={MessageSquarePlus} size={12} />
          </button>
        )}
        <span className="diff-text">
          <CodeLine text={line.text} pieces={coloured} />
        </span>
      </div>
    );
  },
  (a, b) => a.line === b.line && a.coloured === b.coloured,
);
