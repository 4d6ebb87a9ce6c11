import { plural } from '@renderer/client/format';
import { IconButton } from '@renderer/ui/controls/button';
import { ArrowDownToLine, ArrowUpToLine, UnfoldVertical } from 'lucide-react';
import type { Gap } from './desk-rows';
import styles from './gap-buttons.module.css';

/** Lines that one press shows more. */
export const MORE_LINES = 20;

interface GapButtonsProps {
  readonly gap: Gap;
  /** Shows more lines at an edge of the gap; null: all of them. */
  readonly onShow: (edge: 'upper' | 'lower' | null) => void;
}

/** The buttons that show the unchanged lines of a gap. */
export function GapButtons({ gap: { from, to }, onShow }: GapButtonsProps) {
  const size = to === null ? null : to - from + 1;
  const small = size !== null && size <= MORE_LINES;
  return (
    <span className={styles.buttons}>
      {!small && from > 1 && (
        <IconButton
          icon={ArrowDownToLine}
          label={`Show ${MORE_LINES} lines after line ${from - 1}`}
          onClick={() => onShow('upper')}
        />
      )}
      {!small && to !== null && (
        <IconButton
          icon={ArrowUpToLine}
          label={`Show ${MORE_LINES} lines before line ${to + 1}`}
          onClick={() => onShow('lower')}
        />
      )}
      {size !== null && (
        <IconButton
          icon={UnfoldVertical}
          label={`Show ${plural(size, 'unchanged line')} from line ${from}`}
          onClick={() => onShow(null)}
        />
      )}
    </span>
  );
}

/** A gap in a row of its own. */
export const GapRow = (props: GapButtonsProps) => {
  const { from, to } = props.gap;
  return (
    <div className={`${styles.gapLine} quiet note`}>
      <GapButtons {...props} />
      {to === null ? 'Unchanged to the end of the file' : plural(to - from + 1, 'unchanged line')}
    </div>
  );
};
