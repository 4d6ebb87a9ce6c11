import { Printed } from '@renderer/ui/code/code';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { CircleAlert, CircleDot, type LucideIcon, Minus, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { type FindingRow, readFindings } from '../../contract/findings';
import type { EvidenceProps } from './evidence-props';
import styles from './findings-list.module.css';

type Severity = NonNullable<FindingRow['severity']>;

const WORDS: Record<Severity | 'none', { word: string; tone: string; icon: LucideIcon }> = {
  critical: { word: 'Critical', tone: 'failed', icon: CircleAlert },
  high: { word: 'High', tone: 'failed', icon: CircleAlert },
  medium: { word: 'Medium', tone: 'waits', icon: TriangleAlert },
  low: { word: 'Low', tone: 'grey', icon: CircleDot },
  none: { word: 'Not rated', tone: 'grey', icon: Minus },
};

/** The findings of a review, the most severe first. */
export function FindingsList({ text, label }: EvidenceProps) {
  const rows = useMemo(() => readFindings(text), [text]);
  if (rows === null) return <Printed text={text} label={label} />;
  if (rows.length === 0) return <p className="quiet">The review found nothing.</p>;
  return (
    <ul className={styles.findings} aria-label={label}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings have no ids and never change
        <Finding key={index} row={row} />
      ))}
    </ul>
  );
}

function Finding({ row: { severity, text, place, more } }: { row: FindingRow }) {
  const { word, tone, icon } = WORDS[severity ?? 'none'];
  return (
    <li>
      <span className={`status ${tone}`}>
        <Glyph of={icon} size={14} />
        <span>{word}</span>
      </span>
      <div className={`${styles.findingText} reads`}>
        <p>{inPlainSight(text)}</p>
        {more.map((line) => (
          <p key={line} className="quiet note">
            {inPlainSight(line)}
          </p>
        ))}
      </div>
      <span className="mono faint reads">{place === null ? '' : inPlainSight(place)}</span>
    </li>
  );
}
