import type { ReactNode } from 'react';
import type { Tone } from '../../ui/status';

interface ChainProps {
  /** What is in the node: a number, a sign, or nothing. */
  readonly mark: ReactNode;
  readonly tone: Tone;
  readonly children: ReactNode;
}

/** A place on the thin line that runs along one activation, so that its chain is seen as one piece. */
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
