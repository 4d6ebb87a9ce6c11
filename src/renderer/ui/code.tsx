import { memo, useMemo } from 'react';
import styles from './code.module.css';
import { inPlainSight } from './plain-sight';

interface NumberedProps {
  readonly text: string;
  /** Line numbers to be marked, with what is to be said of them. */
  readonly marks?: ReadonlyMap<number, { readonly tone: string; readonly text: string }>;
  readonly onLine?: (line: number) => void;
}

/** A file with its line numbers. */
export const Numbered = memo(function Numbered({ text, marks, onLine }: NumberedProps) {
  const lines = useMemo(() => text.split('\n').map((line, index) => ({ line, number: index + 1 })), [text]);
  return (
    <div className="numbered scroll reads">
      <div className="numbered-inner">
        {lines.map(({ line, number }) => {
          const mark = marks?.get(number);
          return (
            <div key={number} id={`line-${number}`} className={`numbered-line ${mark?.tone ?? ''}`}>
              <button
                type="button"
                tabIndex={-1}
                title={`Open at line ${number}`}
                onClick={() => onLine?.(number)}
              >
                {number}
              </button>
              <code>{inPlainSight(line) || ' '}</code>
              {mark && <span className="numbered-mark">{mark.text}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
});

/** Output of a command, or anything else that was printed. */
export function Printed({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section className={`${styles.printed} scroll reads`} data-part="printed" aria-label={label} tabIndex={0}>
      <pre>{inPlainSight(text)}</pre>
    </section>
  );
}
