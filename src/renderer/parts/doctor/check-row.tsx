import type { Check, CheckState } from '@areas/doctor/contract/procedures';
import { CircleAlert, CircleCheck, CircleQuestionMark, Copy } from 'lucide-react';
import { Button } from '../../ui/controls/button';
import type { Icon } from '../../ui/controls/icon';
import { Status, type Tone } from '../../ui/controls/status';
import { inPlainSight } from '../../ui/invisible-characters';
import { copyText } from '../controls/copy';
import styles from './check-row.module.css';

const WORDS: Record<CheckState, { readonly tone: Tone; readonly icon: Icon; readonly word: string }> = {
  ok: { tone: 'done', icon: CircleCheck, word: 'OK' },
  missing: { tone: 'failed', icon: CircleAlert, word: 'Missing' },
  unknown: { tone: 'grey', icon: CircleQuestionMark, word: 'Unknown' },
};

/** One check: its state, its sentence, and the command that mends it. */
export function CheckRow({ check: { title, state, detail, command } }: { readonly check: Check }) {
  const { tone, icon, word } = WORDS[state];
  return (
    <li className={styles.check} data-state={state}>
      <Status tone={tone} icon={icon}>
        {word}
      </Status>
      <div className="grow">
        <span>{title}</span>
        <p className="note quiet">{inPlainSight(detail)}</p>
        {command !== null && <code className={styles.command}>{inPlainSight(command)}</code>}
      </div>
      {command !== null && (
        <Button
          tone="ghost"
          icon={Copy}
          aria-label={`Copy the command for ${title}`}
          onClick={() => copyText(command, 'Copied the command')}
        >
          Copy
        </Button>
      )}
    </li>
  );
}
