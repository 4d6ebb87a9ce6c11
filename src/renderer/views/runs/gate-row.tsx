import type { GateState } from '@contract/run/state';
import { Hand } from 'lucide-react';
import { memo } from 'react';
import { Ago } from '../../parts/ago';
import { faceOfState } from '../../parts/gate/face';
import { GateAnswer } from '../../parts/gate/gate-answer';
import { GateEvidence } from '../../parts/gate/gate-evidence';
import { GateOutcome } from '../../parts/gate/gate-outcome';
import { gateKinds } from '../../parts/words';
import { Fold } from '../../ui/fold';
import { Glyph } from '../../ui/icon';
import { Chained } from './chain';

interface GateProps {
  readonly runId: number;
  readonly gate: GateState;
  readonly keys: boolean;
}

/** A gate where it was asked, to be answered there. */
export const GateInPlace = memo(function GateInPlace({ runId, gate, keys }: GateProps) {
  const face = faceOfState(runId, gate);
  const open = gate.status === 'open';
  return (
    <section className={`gate-in-place ${open ? 'open' : ''}`} aria-label={`Gate: ${gate.title}`}>
      <header className="turn-head">
        <span className={`status ${open ? 'waits' : 'grey'}`}>
          <Glyph of={Hand} size={14} />
          <span>{gateKinds[gate.kind]}</span>
        </span>
        <h3 className="cut">{gate.title}</h3>
        <span className="grow" />
        <span className="faint note">
          <Ago at={gate.openedAt} />
        </span>
      </header>
      {open ? (
        <GateEvidence gate={face} />
      ) : (
        <Fold head="What was asked">
          <GateEvidence gate={face} />
        </Fold>
      )}
      {open ? <GateAnswer gate={face} keys={keys} /> : <GateOutcome gate={face} />}
    </section>
  );
});

export function GateRow({ chained, ...props }: GateProps & { readonly chained: boolean }) {
  if (!chained) return <GateInPlace {...props} />;
  return (
    <Chained mark={<Glyph of={Hand} size={11} />} tone={props.gate.status === 'open' ? 'waits' : 'grey'}>
      <GateInPlace {...props} />
    </Chained>
  );
}
