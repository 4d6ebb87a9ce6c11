import { plural } from '@renderer/client/format';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { useFollowedEnd } from '@renderer/ui/lists/followed-end';
import { memo, type RefObject, useMemo, useState } from 'react';
import { type TerminalLine, type TerminalRun, terminalLines } from '../../contract/terminal-text';
import type { EvidenceProps } from './evidence-props';
import styles from './output-text.module.css';

/** Lines and characters at the end that are drawn at first; the rest on demand. */
const LAST_LINES = 400;
const LAST_CHARACTERS = 40_000;
const CHUNK_LINES = 200;

/** The output of a program as a terminal shows it. Its end is visible, and stays so while it grows. */
export function OutputText({ text, label }: EvidenceProps) {
  const lines = useMemo(() => terminalLines(text), [text]);
  const [all, setAll] = useState(false);
  const { shown, before } = useMemo(
    () => (all ? { shown: lines, before: null } : endOf(lines)),
    [lines, all],
  );
  const { scroller, content, handlers } = useFollowedEnd(true);
  return (
    <div className={styles.printedOutput}>
      {before !== null && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show {before} before this
        </button>
      )}
      <section
        ref={scroller as RefObject<HTMLElement>}
        className={`${styles.screen} scroll reads`}
        data-part="output"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by key
        tabIndex={0}
        {...handlers}
      >
        <div ref={content}>
          {chunksOf(shown).map(({ key, lines }) => (
            <Chunk key={key} lines={lines} />
          ))}
        </div>
      </section>
    </div>
  );
}

interface Shown {
  readonly shown: readonly TerminalLine[];
  /** A sentence on the hidden part; null if everything is shown. */
  readonly before: string | null;
}

const lengthOf = (line: TerminalLine): number => line.reduce((sum, run) => sum + run.text.length, 0);

function endOf(lines: readonly TerminalLine[]): Shown {
  let characters = 0;
  let from = lines.length;
  while (from > 0 && lines.length - from < LAST_LINES) {
    characters += lengthOf(lines[from - 1] ?? []);
    if (characters > LAST_CHARACTERS) break;
    from -= 1;
  }
  if (from === 0) return { shown: lines, before: null };
  const last = lines.at(-1);
  if (from < lines.length || last === undefined)
    return { shown: lines.slice(from), before: plural(from, 'line') };
  const size = lengthOf(last);
  return { shown: [tailOf(last)], before: plural(size - LAST_CHARACTERS, 'character') };
}

/** The end of a line that is longer than the initially drawn part. */
function tailOf(line: TerminalLine): TerminalRun[] {
  const kept: TerminalRun[] = [];
  let left = LAST_CHARACTERS;
  for (const { text, style } of [...line].reverse()) {
    if (left <= 0) break;
    kept.unshift({ text: text.slice(-left), style });
    left -= text.length;
  }
  return kept;
}

interface ChunkProps {
  readonly lines: readonly TerminalLine[];
}

const chunksOf = (lines: readonly TerminalLine[]): (ChunkProps & { readonly key: number })[] =>
  Array.from({ length: Math.ceil(lines.length / CHUNK_LINES) }, (_, key) => ({
    key,
    lines: lines.slice(key * CHUNK_LINES, (key + 1) * CHUNK_LINES),
  }));

/** Lines in as few elements as their styles need. The browser lays out only those near the viewport. */
const Chunk = memo(
  function Chunk({ lines }: ChunkProps) {
    return (
      <pre className={styles.chunk}>
        {joined(lines).map(({ text, style }, index) =>
          style === null ? (
            inPlainSight(text)
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the runs of printed lines have no ids
            <span key={index} className={classOf(style)}>
              {inPlainSight(text)}
            </span>
          ),
        )}
      </pre>
    );
  },
  (before, now) =>
    before.lines.length === now.lines.length &&
    now.lines.every((line, index) => sameLine(line, before.lines[index])),
);

const sameLine = (a: TerminalLine, b: TerminalLine | undefined): boolean =>
  a === b || (a.length === b?.length && JSON.stringify(a) === JSON.stringify(b));

function joined(lines: readonly TerminalLine[]): TerminalRun[] {
  const runs: TerminalRun[] = [];
  const add = (text: string, style: TerminalRun['style']) => {
    const last = runs.at(-1);
    if (last?.style === style) runs[runs.length - 1] = { text: last.text + text, style };
    else runs.push({ text, style });
  };
  for (const line of lines) {
    for (const { text, style } of line) add(text, style);
    add('\n', null);
  }
  return runs;
}

const COLOURS = {
  red: styles.red,
  green: styles.green,
  yellow: styles.yellow,
  blue: styles.blue,
  magenta: styles.magenta,
  cyan: styles.cyan,
  dim: styles.dim,
};

function classOf(style: NonNullable<TerminalRun['style']>): string {
  const { colour, filled, bold, italic, underlined, struck } = style;
  const names = [
    colour && COLOURS[colour],
    filled && styles.filled,
    bold && styles.bold,
    italic && styles.italic,
    underlined && styles.underlined,
    struck && styles.struck,
  ];
  return names.filter(Boolean).join(' ');
}
