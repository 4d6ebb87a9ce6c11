import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Glyph } from '../controls/icon';
import { inPlainSight } from '../invisible-characters';
import styles from './fold.module.css';

interface FoldProps {
  readonly head: ReactNode;
  readonly children: ReactNode;
  readonly open?: boolean;
  readonly className?: string;
}

/** A line that expands. Collapsed content is not rendered. */
export function Fold({ head, children, open = false, className = '' }: FoldProps) {
  const [isOpen, setOpen] = useState(open);
  const id = useId();
  useEffect(() => {
    if (open) setOpen(true);
  }, [open]);
  return (
    <div className={`fold ${isOpen ? 'open' : ''} ${className}`}>
      <button
        type="button"
        className="fold-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Glyph of={ChevronRight} size={14} />
        {head}
      </button>
      {isOpen && (
        <div id={id} className="fold-body">
          {children}
        </div>
      )}
    </div>
  );
}

interface FoldedTextProps {
  readonly text: string;
  readonly lines?: number;
  readonly className?: string;
}

/** A collapsed text is laid out only up to this many characters. */
const MOST_FOLDED = 8_000;

/** A text as it was sent, collapsed to some lines. */
export function FoldedText({ text, lines = 4, className = '' }: FoldedTextProps) {
  const [open, setOpen] = useState(false);
  const long = text.length > MOST_FOLDED;
  const [cut, setCut] = useState(long || text.split('\n').length > lines);
  const drawn = useRef(cut);
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may be truncated in the same space
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || open) return;
    // After the layout of the frame: reading the size earlier would lay out the whole page again for each
    // text.
    const observer = new ResizeObserver(() => {
      const isCut = long || element.scrollHeight > element.clientHeight + 1;
      if (isCut === drawn.current) return;
      drawn.current = isCut;
      // In the same frame, so that the button does not appear a frame after the text.
      flushSync(() => setCut(isCut));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, lines, open, long]);
  return (
    <div className={`${styles.foldedText} ${className}`} data-part="folded-text">
      <div
        ref={ref}
        className={`reads ${open ? '' : styles.clamped}`}
        style={open ? undefined : { WebkitLineClamp: lines }}
      >
        {inPlainSight(open ? text : text.slice(0, MOST_FOLDED))}
      </div>
      {(cut || open) && (
        <button type="button" className="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open
            ? 'Fold'
            : `Show all ${text.split('\n').length > lines ? `${text.split('\n').length} lines` : ''}`}
        </button>
      )}
    </div>
  );
}
