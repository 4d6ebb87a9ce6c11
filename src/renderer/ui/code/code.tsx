import { memo, useMemo, useState } from 'react';
import { inPlainSight } from '../invisible-characters';
import styles from './code.module.css';

/** Lines and characters drawn at first; the rest on demand. */
const FIRST_LINES = 400;
const FIRST_CHARACTERS = 40_000;

/** A plain text, line by line. */
export function Printed({ text, label }: { text: string; label: string }) {
  const [all, setAll] = useState(false);
  const cut = useMemo(() => cutOf(text), [text]);
  const shown = all ? text : text.slice(0, cut);
  const rest = text.slice(shown.length);
  const lines = rest.split('\n').length - 1;
  return (
    <div className={styles.printedBox}>
      <section
        className={`${styles.printed} scroll reads`}
        data-part="printed"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by key
        tabIndex={0}
      >
        {all ? <Chunks text={text} /> : <pre>{inPlainSight(shown)}</pre>}
      </section>
      {rest !== '' && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show {lines > 0 ? `${lines} more lines` : `${rest.length} more characters`}
        </button>
      )}
    </div>
  );
}

/** The offset at which the first lines end. */
function cutOf(text: string): number {
  let at = 0;
  for (let line = 0; line < FIRST_LINES; line += 1) {
    const end = text.indexOf('\n', at);
    if (end < 0 || end > FIRST_CHARACTERS)
      return at === 0 || text.length <= FIRST_CHARACTERS ? Math.min(text.length, FIRST_CHARACTERS) : at;
    at = end + 1;
  }
  return text.length - at <= 1 ? text.length : at;
}

const CHUNK_LINES = 400;

/** A long text in parts; the browser lays out only those near the viewport. */
const Chunks = memo(function Chunks({ text }: { text: string }) {
  const lines = text.split('\n');
  const parts = Array.from({ length: Math.ceil(lines.length / CHUNK_LINES) }, (_, index) => ({
    key: index,
    text: lines.slice(index * CHUNK_LINES, (index + 1) * CHUNK_LINES).join('\n'),
  }));
  return parts.map((part) => (
    <pre key={part.key} className={styles.chunk}>
      {inPlainSight(part.text)}
    </pre>
  ));
});
