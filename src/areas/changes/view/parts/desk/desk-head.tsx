import { plural } from '@renderer/client/format';
import { useCaps } from '@renderer/parts/controls/act';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { Keys } from '@renderer/ui/controls/keys';
import { Bar } from '@renderer/ui/controls/status';
import { Note } from '@renderer/ui/layout/note';
import { ArrowDown, ArrowUp, Columns2, PanelLeft, Search, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { WHOLE_FILE } from '../take-back';
import styles from './desk-head.module.css';
import { total } from './desk-rows';
import type { Desk } from './use-desk';

interface DeskHeadProps {
  readonly desk: Desk;
  readonly lead: ReactNode;
  readonly tail: ReactNode;
}

/** What a change is in all, how much of it was viewed, and how it is shown. */
export function DeskHead({ desk, lead, tail }: DeskHeadProps) {
  const { all, marks, tree, splitWanted } = desk;
  const countable = all.filter(({ content }) => content !== undefined);
  const viewed = countable.filter(marks.isViewed).length;
  const caps = {
    find: useCaps('change.find'),
    layout: useCaps('change.layout'),
    next: useCaps('change.next'),
    previous: useCaps('change.previous'),
  };
  return (
    <>
      <header className={styles.head}>
        {tree !== null && (
          <IconButton
            icon={PanelLeft}
            label={tree.shown ? 'Hide the list of files' : 'Show the list of files'}
            active={tree.shown}
            onClick={tree.toggle}
          />
        )}
        {lead}
        <strong className={styles.count}>{plural(all.length, 'file')} changed</strong>
        <LineCounts {...total(all)} />
        {marks.view !== null && countable.length > 1 && (
          <span className={`${styles.viewed} quiet note`}>
            <Bar part={viewed / countable.length} label="Viewed" />
            {viewed} of {countable.length} viewed
          </span>
        )}
        <span className="grow" />
        <span className={styles.steps}>
          <Keys caps={caps.previous} />
          <IconButton
            icon={ArrowUp}
            label="Previous change"
            caps={caps.previous}
            onClick={() => desk.step(-1)}
          />
          <IconButton icon={ArrowDown} label="Next change" caps={caps.next} onClick={() => desk.step(1)} />
          <Keys caps={caps.next} />
        </span>
        <IconButton icon={Search} label="Find in the changes" caps={caps.find} onClick={desk.find.show} />
        <IconButton
          icon={Columns2}
          label={
            splitWanted && !desk.split
              ? 'Old beside new needs a wider window'
              : splitWanted
                ? 'Show the lines in one column'
                : 'Show old beside new'
          }
          caps={caps.layout}
          active={splitWanted}
          onClick={desk.flipLayout}
        />
        {tail}
      </header>
      <WayBack desk={desk} />
    </>
  );
}

/** Puts back what was taken back last and is no longer listed. */
function WayBack({ desk: { all, marks } }: { readonly desk: Desk }) {
  const caps = useCaps('change.undo');
  const { last } = marks;
  const listed = all.some(
    ({ path, hunks }) =>
      path === last?.path &&
      hunks.some(
        (hunk) => [hunk.id, WHOLE_FILE].includes(last.hunk) && marks.markOf(path, hunk.id) === 'rejected',
      ),
  );
  if (last === null || listed) return null;
  return (
    <div className={styles.way}>
      <Note
        acts={
          <Button icon={Undo2} caps={caps} onClick={marks.undo}>
            Undo
          </Button>
        }
      >
        {last.hunk === WHOLE_FILE ? 'The changes of' : 'A hunk of'} <span className="mono">{last.path}</span>{' '}
        {last.hunk === WHOLE_FILE ? 'were' : 'was'} taken back.
      </Note>
    </div>
  );
}
