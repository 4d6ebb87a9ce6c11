import { ActIcon } from '@renderer/parts/controls/act';
import { TextInput } from '@renderer/ui/controls/field';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { AttemptState } from '../../contract/state';
import type { LoopAt } from '../place';
import { LogColumn } from './log-column';
import styles from './logs-pane.module.css';

interface LogsPaneProps {
  readonly at: LoopAt;
  readonly attempt: AttemptState;
}

const WHICH = ['jsonl', 'message', 'stderr'] as const;

/** An attempt's three logs side by side. */
export function LogsPane({ at, attempt }: LogsPaneProps) {
  const [search, setSearch] = useState('');
  const { iteration, of, retry } = attempt;
  const name = `Logs of iteration ${iteration}/${of}${retry > 0 ? ` (retry ${retry})` : ''}`;
  return (
    <section className={styles.logsPane} aria-label={name}>
      <header className={styles.logsHead}>
        <h2 className="cut">{name}</h2>
        <span className="grow" />
        <TextInput
          type="search"
          aria-label="Search the logs"
          placeholder="Search the logs"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <ActIcon action="loop.logs" icon={X} label="Close the logs" />
      </header>
      <div className={styles.logsColumns}>
        {WHICH.map((which) => (
          <LogColumn
            key={`${attempt.id}/${which}`}
            at={at}
            attemptId={attempt.id}
            which={which}
            live={attempt.judged === null}
            search={search.trim()}
          />
        ))}
      </div>
    </section>
  );
}
