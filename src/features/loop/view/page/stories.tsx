import { count, money, plural } from '@renderer/client/format';
import { elapsed } from '@renderer/client/time';
import { RowList } from '@renderer/parts/lists/row-list';
import { Marked } from '@renderer/parts/marks/marks';
import { Elapsed } from '@renderer/parts/text/ago';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import { useState } from 'react';
import type { LoopState } from '../../contract/state';
import loopsStyles from '../loops.module.css';
import type { StoryRow } from '../rows';
import { costWords, storyWords } from '../words';
import styles from './stories.module.css';

interface StoriesProps {
  readonly rows: readonly StoryRow[];
  readonly loop: LoopState;
  /** Opens an attempt. */
  readonly onGo: (attemptId: number) => void;
}

/** The plan's stories in working order. Enter opens a story's last attempt. */
export function Stories({ rows, loop, onGo }: StoriesProps) {
  const [selected, select] = useState<string | null>(null);
  const open = (row: StoryRow) => {
    select(row.key);
    const last = row.attempts.at(-1);
    if (last !== undefined) onGo(last);
  };
  return (
    <section className={styles.loopStories} aria-label="Stories">
      <header className={loopsStyles.loopPartHead}>
        <h2>Stories</h2>
        <span className="faint note">{headWords(rows)}</span>
      </header>
      {rows.length === 0 ? (
        <p className={`faint ${loopsStyles.loopNone}`}>{none(loop)}</p>
      ) : (
        <RowList
          label="Stories"
          rows={rows}
          selected={selected}
          draw={(row) => <StoryItem row={row} />}
          onSelect={(row) => select(row.key)}
          onOpen={open}
        />
      )}
    </section>
  );
}

const headWords = (rows: readonly StoryRow[]): string => {
  const open = rows.filter(({ state }) => state !== 'passed' && state !== 'skipped').length;
  if (rows.length === 0) return '';
  return open === 0 ? 'no open story' : `${open} of ${rows.length} open`;
};

function none({ plan, reading }: LoopState): string {
  if (reading === null || reading.status === 'requested') return 'The plan is being read.';
  if (plan.state === 'none') return 'There is no prd.json. The worker follows its prompt.';
  return plan.state === 'broken' ? 'prd.json is not valid.' : 'The plan has no stories.';
}

function StoryItem({ row }: { row: StoryRow }) {
  const { story, state, attempts } = row;
  const word = storyWords[state];
  return (
    <TwoLines
      mark={<Marked word={word} markOnly />}
      title={
        <span title={`${story.id}: ${story.title}`}>
          <span className={`mono ${loopsStyles.storyId}`}>{story.id}</span> {story.title}
        </span>
      }
      end={<span className="faint note" title="Priority: 1 is done first">{`p${story.priority}`}</span>}
      under={<Standing row={row} word={word.word} />}
      underEnd={
        attempts.length > 0 && (
          <span
            className="faint"
            title={`${plural(attempts.length, 'attempt')}, ${costWords(row).join(', ')}`}
          >
            {[
              ...(row.ms > 0 ? [elapsed(row.ms)] : []),
              ...(row.costUsd === null
                ? row.tokens === null
                  ? []
                  : [`${count(row.tokens)} tokens`]
                : [money(row.costUsd)]),
            ].join(' · ')}
          </span>
        )
      }
    />
  );
}

function Standing({ row, word }: { row: StoryRow; word: string }) {
  if (row.since !== null)
    return (
      <span className={styles.runningText}>
        {word} for <Elapsed from={row.since} to={null} />
      </span>
    );
  if (row.state === 'passed') return row.passedAt === null ? 'passes' : `passed at iteration ${row.passedAt}`;
  const tries = row.attempts.length;
  return tries === 0 ? word : `${word} after ${plural(tries, 'attempt')}`;
}
