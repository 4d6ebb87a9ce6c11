import type { Tone } from '@renderer/ui/controls/status';
import type { ReactNode } from 'react';

interface ChainProps {
  /** The content of the node: a number, a sign, or nothing. */
  readonly mark: ReactNode;
  readonly tone: Tone;
  readonly children: ReactNode;
}

/** A node on the thin line along one activation, which shows its chain as one unit. */
export function Chained({ mark, tone, children }: ChainProps) {
  return (
    <div className="chained">
      <span className={`node ${tone} ${mark === null ? 'dot' : ''}`} aria-hidden>
        {mark}
      </span>
      <div className="chained-body">{children}</div>
    </div>
  );
}
