import type { GateState } from '@contract/run/state';
import { Ago } from '@renderer/parts/text/ago';
import { usePast } from '@renderer/parts/text/shown-time';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Fold } from '@renderer/ui/layout/fold';
import { Hand } from 'lucide-react';
import { memo } from 'react';
import { gateHeadline, requesterWords } from '../../contract/requester';
import { GateAnswer } from './answer/gate-answer';
import { GateEvidence } from './evidence/gate-evidence';
import { GateOutcome } from './evidence/gate-outcome';
import { faceOfState } from './face';
import { gateMarks } from './gate-marks';

export interface GateInPlaceProps {
  readonly runId: number;
  readonly gate: GateState;
  /** Left out of the title if the page shows it above the gate. */
  readonly runName?: string | undefined;
  /** Whether the keys of the inbox apply to this gate. */
  readonly keys: boolean;
}

/** A gate shown where it was asked, to be answered there. */
export const GateInPlace = memo(function GateInPlace({ runId, runName, gate, keys }: GateInPlaceProps) {
  const face = faceOfState(runId, gate);
  const open = gate.status === 'open';
  const past = usePast();
  const title = runName === undefined ? gate.title : gateHeadline({ title: gate.title, runName });
  const asker = requesterWords({ asker: gate.asker, agent: null });
  return (
    <section
      data-part="gate-in-place"
      className={`gate-in-place ${open ? 'open' : ''}`}
      aria-label={`Gate: ${gate.title}`}
    >
      <header className="turn-head">
        <span className={`status ${open ? 'waits' : 'grey'}`}>
          <Glyph of={Hand} size={14} />
          <span>{gateMarks[gate.kind].word}</span>
          {asker !== null && <span>{asker}</span>}
        </span>
        <h2 className="cut">{inPlainSight(title)}</h2>
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
      {open && past !== null && <p className="quiet note">It was waiting for an answer at this moment.</p>}
      {open ? past === null && <GateAnswer gate={face} keys={keys} /> : <GateOutcome gate={face} />}
    </section>
  );
});
