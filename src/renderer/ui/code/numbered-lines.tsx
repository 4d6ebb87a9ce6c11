import { useLayoutEffect, useRef } from 'react';
import { inPlainSight } from '../invisible-characters';
import codeStyles from './code.module.css';
import styles from './numbered-lines.module.css';

interface NumberedLinesProps {
  readonly label: string;
  readonly text: string;
  /** The number of the first line. */
  readonly from: number;
  /** The first and the last marked line. The text opens at them. */
  readonly marked: readonly [number, number];
}

/** Lines shown above the marked ones. */
const ABOVE = 3;

/** A short text with line numbers, opened at its marked lines. */
export function NumberedLines({ label, text, from, marked: [first, last] }: NumberedLinesProps) {
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text in the same box opens at its own mark
  useLayoutEffect(() => {
    const top = box.current?.children.item(Math.max(0, first - ABOVE - from));
    if (box.current !== null && top instanceof HTMLElement) box.current.scrollTop = top.offsetTop;
  }, [text, from, first]);
  return (
    <section
      ref={box}
      className={`${codeStyles.printed} ${styles.box} scroll reads`}
      data-part="printed"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by key
      tabIndex={0}
    >
      {text.split('\n').map((line, index) => {
        const number = from + index;
        const isMarked = number >= first && number <= last;
        return (
          <pre key={number} className={isMarked ? styles.marked : ''}>
            <span className={styles.number} aria-hidden>
              {number}
            </span>
            {isMarked ? <mark>{inPlainSight(line) || ' '}</mark> : inPlainSight(line) || ' '}
          </pre>
        );
      })}
    </section>
  );
}
