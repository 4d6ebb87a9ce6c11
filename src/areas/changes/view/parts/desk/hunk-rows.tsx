import { useCaps } from '@renderer/parts/controls/act';
import { useHighlight } from '@renderer/ui/code/use-highlight';
import { Button } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { Check, MessageSquarePlus, Undo2, X } from 'lucide-react';
import { type ComponentProps, memo, type ReactNode, useMemo } from 'react';
import { firstChange, type HunkLine } from '../../../contract/hunk-lines';
import type { DiffHunk } from '../../../contract/procedures';
import type { HunkMark } from '../marks';
import styles from './hunk-rows.module.css';
import { linesOf, useLineMarks } from './line-marks';
import { type DrawnLine, type LineComments, LineRows } from './line-rows';
import { placesOf } from './pairs';

/** Deciding on a hunk in the folder that holds it. */
export interface HunkDecision {
  readonly keep: (kept: boolean) => void;
  readonly takeBack: () => void;
  /** Null if it can no longer be undone. */
  readonly undo: (() => void) | null;
}

type RowsToDraw = ComponentProps<typeof LineRows>['rows'];

interface LinesProps {
  readonly path: string;
  readonly hunk: DiffHunk;
  /** Positions of lines; of pairs of lines in the split view. */
  readonly from: number;
  readonly to: number;
  readonly split: boolean;
  readonly mark: HunkMark | null;
  readonly find: string;
  readonly review: LineComments | null;
}

/** Some lines of a hunk. */
export function HunkLines({ path, hunk, from, to, split, mark, find, review }: LinesProps) {
  const places = useMemo(() => placesOf(hunk, { from, to, split }), [hunk, from, to, split]);
  const marks = useLineMarks(path, hunk, places.indices);
  const lines = linesOf(hunk);
  const drawn = (index: number): DrawnLine | null => {
    const line = lines[index];
    return line === undefined
      ? null
      : { line, coloured: marks.coloured(index), changed: marks.changed(index) };
  };
  const rows = places.rows.flatMap(([old, fresh]): RowsToDraw => {
    if (split) return [[drawn(old), drawn(fresh)]];
    const one = drawn(old);
    return one === null ? [] : [one];
  });
  return (
    <div className={mark === 'rejected' ? styles.takenBack : ''}>
      <LineRows path={path} rows={rows} find={find} review={review} />
    </div>
  );
}

/** Unchanged lines that were unfolded. */
export function ContextLines({
  path,
  lines,
  split,
  find,
  review,
}: Pick<LinesProps, 'path' | 'split' | 'find' | 'review'> & { readonly lines: readonly HunkLine[] }) {
  const texts = useMemo(() => lines.map(({ text }) => text), [lines]);
  const colours = useHighlight(path, texts);
  const rows = lines.map((line, index): RowsToDraw[number] => {
    const drawn = { line, coloured: colours?.[index] ?? null, changed: NONE };
    return split ? [drawn, drawn] : drawn;
  });
  return <LineRows path={path} rows={rows} find={find} review={review} />;
}

const NONE: DrawnLine['changed'] = [];

interface HunkHeadProps {
  readonly hunk: DiffHunk;
  readonly mark: HunkMark | null;
  /** The keys apply to this hunk. */
  readonly current: boolean;
  /** The buttons that show the lines above. */
  readonly gap: ReactNode;
  readonly review: LineComments | null;
  readonly decision: HunkDecision | null;
}

/** Where a hunk is, and what can be done with it. */
export const HunkHead = memo(function HunkHead(props: HunkHeadProps) {
  const { hunk, mark, current, gap, review, decision } = props;
  const caps = {
    comment: useCaps('change.comment'),
    keep: useCaps('change.keep'),
    takeBack: useCaps('change.takeBack'),
    undo: useCaps('change.undo'),
  };
  const of = (name: keyof typeof caps) => (current ? caps[name] : []);
  return (
    <header className={styles.head}>
      <span className={styles.gap}>{gap}</span>
      <span className="mono faint">{placeOf(hunk)}</span>
      {mark === 'accepted' && (
        <span className="status done">
          <Glyph of={Check} size={13} /> <span>Kept</span>
        </span>
      )}
      {mark === 'rejected' && (
        <span className="status failed">
          <Glyph of={X} size={13} /> <span>Taken back</span>
        </span>
      )}
      <span className="grow" />
      <span className={`${styles.acts} ${mark === 'rejected' ? styles.lasting : ''}`}>
        {review !== null && (
          <Button
            tone="ghost"
            icon={MessageSquarePlus}
            caps={of('comment')}
            onClick={() => review.write(firstChange(linesOf(hunk)))}
          >
            Comment
          </Button>
        )}
        {decision !== null && mark !== 'rejected' && (
          <Button
            tone="ghost"
            icon={Check}
            caps={of('keep')}
            onClick={() => decision.keep(mark !== 'accepted')}
          >
            {mark === 'accepted' ? 'Undo keep' : 'Keep'}
          </Button>
        )}
        {decision !== null && mark !== 'rejected' && (
          <>
            <span className={styles.space} />
            <Button
              tone="ghost"
              icon={X}
              caps={of('takeBack')}
              tip="Reverts these lines in the folder"
              onClick={decision.takeBack}
            >
              Take back
            </Button>
          </>
        )}
        {mark === 'rejected' && decision?.undo && (
          <Button tone="ghost" icon={Undo2} caps={of('undo')} onClick={decision.undo}>
            Undo
          </Button>
        )}
      </span>
    </header>
  );
});

/** `Line 12`, `Lines 12 to 18`: the new position of the hunk. */
function placeOf({ newStart, newLines, oldStart }: DiffHunk): string {
  if (newLines === 0) return `Before line ${Math.max(1, oldStart)}`;
  return newLines === 1 ? `Line ${newStart}` : `Lines ${newStart}–${newStart + newLines - 1}`;
}
