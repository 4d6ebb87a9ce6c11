import { resultWords } from '@renderer/parts/words/status-words';
import { IconButton } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { Copy } from 'lucide-react';
import type { AttemptState } from '../../contract/state';
import styles from './update-text.module.css';
import { copyUpdate, updateTextOf } from './use-loop-actions';

const LABELS = ['Iteration', 'Story:', 'Result:', 'Commit:', 'Summary:'];

/** The update exactly as sent, with its labels highlighted. */
export function UpdateText({ attempt }: { readonly attempt: AttemptState }) {
  const text = updateTextOf(attempt);
  if (text === null || attempt.judged === null) return null;
  const { icon, tone } = resultWords[attempt.judged.result];
  const lines = text.split('\n').map((line, index) => {
    const label = LABELS[index] ?? '';
    const labelled = label !== '' && line.startsWith(`${label} `);
    return { index, label: labelled ? label : '', text: labelled ? line.slice(label.length + 1) : line };
  });
  return (
    <section className={styles.attemptUpdate} aria-label="The update as it was sent">
      {lines.map(({ index, label, text: said }) => (
        <div key={index} className={styles.attemptUpdateLine}>
          <span className="mono faint">{label}</span>
          {label === 'Result:' ? (
            <span className={`status ${tone}`}>
              <Glyph of={icon} size={14} />
              <span>{said}</span>
            </span>
          ) : (
            <span className={`reads ${label === 'Commit:' ? 'mono' : ''}`}>{said}</span>
          )}
        </div>
      ))}
      <IconButton icon={Copy} label="Copy the update as it was sent" onClick={() => copyUpdate(text)} />
    </section>
  );
}
