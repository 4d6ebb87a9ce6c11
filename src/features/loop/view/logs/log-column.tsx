import { bytes, plural } from '@renderer/client/format';
import { ErrorNote, openInEditor } from '@renderer/parts/problems/error-note';
import { IconButton } from '@renderer/ui/controls/button';
import { Note } from '@renderer/ui/layout/note';
import { Stack, type StackRow } from '@renderer/ui/lists/stack';
import { ArrowDownToLine, ArrowUpToLine, FileText } from 'lucide-react';
import { memo, useEffect, useMemo, useState } from 'react';
import type { LoopLog } from '../../contract/procedures';
import loopsStyles from '../loops.module.css';
import type { LoopAt } from '../place';
import styles from './log-column.module.css';
import { eventLine, joinPieces, unfolded } from './log-lines';
import { type LogInHand, useLog } from './use-log';

const TITLES: Record<LoopLog, { readonly title: string; readonly none: string }> = {
  jsonl: { title: 'Events', none: 'No event log' },
  message: { title: 'Last message', none: 'No last message' },
  stderr: { title: 'Standard error', none: 'No standard error log' },
};

type Row = StackRow & ({ readonly kind: 'line'; readonly text: string } | { readonly kind: 'more' });

interface LogColumnProps {
  readonly at: LoopAt;
  readonly attemptId: number;
  readonly which: LoopLog;
  readonly live: boolean;
  readonly search: string;
}

/** One of the three logs of an attempt. */
export function LogColumn({ at, attemptId, which, live, search }: LogColumnProps) {
  const log = useLog({ ...at, attemptId, which }, live);
  const { view } = log;
  const { title, none } = TITLES[which];
  const rows = useMemo(
    () => rowsOf(which === 'jsonl' ? joinPieces(view.lines) : view.lines, search),
    [view.lines, search, which],
  );
  const found = search === '' ? null : rows.length;
  const more = view.status === 'ready' && !log.atEnd && !view.full;
  return (
    <section className={styles.logColumn} aria-label={title}>
      <LogHead title={title} log={log} found={found} />
      {view.error && <ErrorNote error={view.error} />}
      {view.overwritten && (
        <Note tone="waits">Overwritten after this attempt ended: probably by another attempt.</Note>
      )}
      {view.full && <Note>The window shows no more. Open the whole file in the editor.</Note>}
      {view.status === 'ready' && rows.length === 0 && !more ? (
        <p className={`faint ${loopsStyles.loopNone}`}>
          {view.path === null ? `${none}${live ? ' yet' : ''}` : search === '' ? 'Empty' : 'No matches'}
        </p>
      ) : (
        <Stack<Row>
          label={`${title}, line by line`}
          rows={more ? [...rows, { key: 'more', guess: 24, kind: 'more' }] : rows}
          live={live}
          draw={(row) =>
            row.kind === 'more' ? (
              <ReadOn key={view.to} onSeen={log.more} of={view.size - view.to} />
            ) : which === 'jsonl' ? (
              <EventRow text={row.text} />
            ) : (
              <p className={`${styles.logText} mono reads`}>{row.text || ' '}</p>
            )
          }
        />
      )}
    </section>
  );
}

function LogHead({ title, log, found }: { title: string; log: LogInHand; found: number | null }) {
  const { path, size, from } = log.view;
  return (
    <header className={styles.logHead}>
      <h3>{title}</h3>
      <span className="faint note">{path === null ? '' : bytes(size)}</span>
      {found !== null && <span className="quiet note">{plural(found, 'line')} found</span>}
      <span className="grow" />
      {from > 0 && (
        <IconButton
          icon={ArrowUpToLine}
          label={`${title}: from the beginning`}
          onClick={() => log.begin('start')}
        />
      )}
      {!log.atEnd && size > 0 && (
        <IconButton
          icon={ArrowDownToLine}
          label={`${title}: show the end`}
          onClick={() => log.begin('end')}
        />
      )}
      {path !== null && (
        <IconButton icon={FileText} label={`Open ${path} in the editor`} onClick={() => openInEditor(path)} />
      )}
    </header>
  );
}

function rowsOf(lines: readonly string[], search: string): Row[] {
  const wanted = search.toLowerCase();
  const rows: Row[] = [];
  for (const [index, text] of lines.entries()) {
    if (wanted === '' || text.toLowerCase().includes(wanted))
      rows.push({ key: String(index), guess: 20, kind: 'line', text });
  }
  return rows;
}

/** Reads the next page when the end of the loaded text comes into view. */
function ReadOn({ onSeen, of }: { onSeen: () => void; of: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it comes into view
  useEffect(onSeen, []);
  return <p className={`faint note ${styles.logText}`}>{bytes(of)} more</p>;
}

const EventRow = memo(function EventRow({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const event = eventLine(text);
  return (
    <div className="log-event">
      <button type="button" className={styles.logLine} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={`${styles.logLabel} note ${event.tone}`}>{event.label}</span>
        <span className="mono cut">{event.text}</span>
      </button>
      {open && <pre className={`${styles.logRaw} reads`}>{unfolded(text)}</pre>}
    </div>
  );
});
