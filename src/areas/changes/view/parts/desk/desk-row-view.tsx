import { memo } from 'react';
import type { HunkLine } from '../../../contract/hunk-lines';
import { commentOn, type LineComment } from '../comments';
import styles from './desk-row-view.module.css';
import type { DeskRow } from './desk-rows';
import { FileHead } from './file-head';
import { GapButtons, GapRow } from './gap-buttons';
import { ContextLines, HunkHead, HunkLines } from './hunk-rows';
import { ImageSides } from './image-sides';
import { LargeFile } from './large-file';
import type { LineComments } from './line-rows';
import type { Desk } from './use-desk';

interface DeskRowProps {
  readonly row: DeskRow;
  readonly desk: Desk;
}

/** One row of the desk. */
export const DeskRowView = memo(function DeskRowView({ row, desk }: DeskRowProps) {
  const { file } = row;
  const { context, marks, split, findText: find } = desk;
  const choose = () => desk.choose(row.kind === 'lines' ? row.of : row.key);
  switch (row.kind) {
    case 'file':
      return <FileRow row={row} desk={desk} />;
    case 'note':
      return <p className="change-note quiet">{row.text}</p>;
    case 'large':
      return <LargeFile file={file} open={desk.open} />;
    case 'image':
      return desk.source && <ImageSides source={desk.source} path={file.path} />;
    case 'gap':
      return <GapRow gap={row.gap} onShow={(edge) => void context.show(file, row.gap, edge)} />;
    case 'context':
      return (
        <ContextLines
          path={file.path}
          lines={row.lines}
          split={split}
          find={find}
          review={reviewOf(row, desk)}
        />
      );
    case 'lines':
    case 'hunk': {
      const { hunk, from, to } = row;
      const mark = marks.markOf(file.path, hunk.id);
      const review = reviewOf(row, desk);
      const lines = { path: file.path, hunk, from, to, split, mark, find, review };
      // A click says which hunk the keys are for.
      if (row.kind === 'lines')
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the keys go from hunk to hunk
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div className={desk.current === row.of ? styles.current : ''} onClick={choose}>
            <HunkLines {...lines} />
          </div>
        );
      const current = desk.current === row.key;
      return (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go from hunk to hunk
        <section
          className={current ? styles.current : ''}
          data-part="hunk"
          aria-label={`Hunk at line ${hunk.newStart} of ${file.path}${mark ? `, ${WORDS[mark]}` : ''}`}
          aria-current={current ? 'location' : undefined}
          onClick={choose}
        >
          <HunkHead
            hunk={hunk}
            mark={mark}
            current={current}
            gap={
              row.gap && (
                <GapButtons
                  gap={row.gap}
                  onShow={(edge) => row.gap && void context.show(file, row.gap, edge)}
                />
              )
            }
            review={review}
            decision={marks.decisionOf(file, hunk)}
          />
          <HunkLines {...lines} />
        </section>
      );
    }
  }
});

const WORDS = { accepted: 'kept', rejected: 'taken back' };

function FileRow({ row, desk }: { readonly row: DeskRow & { kind: 'file' }; readonly desk: Desk }) {
  const { file, folded } = row;
  const { marks, context } = desk;
  const { view } = marks;
  const partial = file.hunks.length > 0 && file.status !== 'added' && file.status !== 'deleted';
  return (
    <FileHead
      file={file}
      folded={folded}
      viewed={marks.isViewed(file)}
      isWhole={context.isWhole(file)}
      current={desk.now?.file.path === file.path}
      folder={desk.folder}
      acts={{
        fold: () => desk.fold(file.path, !folded),
        view: view && file.content !== undefined ? (viewed) => desk.view(file, viewed) : null,
        takeBack: marks.takeBackFile && (() => marks.takeBackFile?.(file)),
        whole: partial && context.texts !== null ? () => desk.toggleWhole(file) : null,
      }}
    />
  );
}

const NO_COMMENTS: readonly LineComment[] = [];

function reviewOf(row: DeskRow, { review, writing, write }: Desk): LineComments | null {
  if (review === null) return null;
  const { path } = row.file;
  const comments = review.comments.filter((comment) => comment.path === path);
  // The form belongs to the hunk: its line may be in any of its rows.
  const of = row.kind === 'lines' ? row.of : row.key;
  return {
    comments: comments.length === 0 ? NO_COMMENTS : comments,
    writing: writing?.row === of ? writing.line : null,
    sentWith: review.sentWith,
    drafts: review.drafts,
    write: (line: HunkLine | null) => write(of, line),
    comment: (line, text) => review.onComment(commentOn(path, line, text)),
  };
}
