import type { ReactNode } from 'react';
import { Glyph, type Icon } from './icon';

/** The four meanings of a colour, and grey for the rest. */
export type Tone = 'running' | 'waits' | 'failed' | 'done' | 'grey';

interface StatusProps {
  readonly tone: Tone;
  readonly icon: Icon;
  readonly children: ReactNode;
  /** The word is only for those who do not see the mark. */
  readonly markOnly?: boolean | undefined;
  readonly chip?: boolean | undefined;
}

export function Status({ tone, icon, children, markOnly = false, chip = false }: StatusProps) {
  return (
    <span className={`status ${tone} ${chip ? 'chip' : ''}`} title={markOnly ? String(children) : undefined}>
      <Glyph of={icon} size={14} />
      <span className={markOnly ? 'hidden-text' : ''}>{children}</span>
    </span>
  );
}

/** Progress, as a thin line. */
export function Bar({ part, label }: { part: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, part)) * 100);
  return (
    <span className={`bar ${percent === 100 ? 'done' : ''}`} role="img" aria-label={`${label}: ${percent} %`}>
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
