import type { GateRow } from '@areas/gates/contract/procedures';
import { gateHeadline, requesterWords } from '@areas/gates/contract/requester';
import { GateAnswer } from '@areas/gates/view/parts/answer/gate-answer';
import { GateEvidence } from '@areas/gates/view/parts/evidence/gate-evidence';
import { GateOutcome } from '@areas/gates/view/parts/evidence/gate-outcome';
import { faceOfRow } from '@areas/gates/view/parts/face';
import { gateMarks } from '@areas/gates/view/parts/gate-marks';
import { useHandlers } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { copyAddress } from '@renderer/parts/controls/copy';
import { Agent } from '@renderer/parts/marks/agent-name';
import { Ago, Until } from '@renderer/parts/text/ago';
import { Menu } from '@renderer/ui/controls/menu';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { AlarmClock, FileSearch, Link } from 'lucide-react';
import { useState } from 'react';
import { AnswerAlike } from './answer-alike';
import styles from './gate-detail.module.css';
import { LastDecision } from './last-decision';
import { snoozeTimes } from './snooze';

interface GateDetailProps {
  readonly gate: GateRow;
  readonly last: GateRow | null;
}

/** One gate: who asks, the request, the evidence, and the answer. */
export function GateDetail({ gate, last }: GateDetailProps) {
  const face = faceOfRow(gate);
  const open = gate.status === 'open';
  return (
    <article className={`pane ${styles.gateDetail}`} aria-label={gate.title}>
      {open && <LastDecision gate={last} />}
      <GateHead gate={gate} />
      <div className={`scroll ${styles.gateBody}`} data-focus tabIndex={-1}>
        <GateEvidence gate={face} alone />
      </div>
      {open ? <GateAnswer gate={face} keys /> : <GateOutcome gate={face} />}
    </article>
  );
}

function GateHead({ gate }: { gate: GateRow }) {
  const [choosing, setChoosing] = useState(false);
  const { runId, gateId } = gate;
  const open = gate.status === 'open';
  const step = gate.stepTitle ?? gate.stepId;
  const asker = requesterWords(gate);
  const snooze = (until: number | null) =>
    void attempt(
      call('gate.snooze', { runId, gateId, until }),
      until === null ? 'Back in the inbox' : 'Snoozed',
    );
  useHandlers({
    'gate.snooze': open ? () => setChoosing(true) : null,
    'gate.undo': open && gate.snoozedUntil !== null ? () => snooze(null) : null,
    'gate.evidence': () => navigate(hashOf('run', runId, 'gate', gateId)),
    'gate.copy': () => copyAddress('gate', runId, gateId),
  });
  return (
    <header className="detail-head">
      <div className="detail-line">
        <span className="faint">{gateMarks[gate.kind].word}</span>
        <span className="grow" />
        <ActIcon action="gate.copy" icon={Link} label="Copy the address of the gate" />
        <AnswerAlike gate={gate} />
        {open && (
          <span className="menu-anchor">
            <ActButton action="gate.snooze" tone="ghost" icon={AlarmClock}>
              Snooze
            </ActButton>
            {choosing && (
              <Menu
                label="Snooze until"
                items={snoozeTimes(Date.now()).map(({ label, at }) => ({
                  id: label,
                  label,
                  run: () => snooze(at),
                }))}
                onClose={() => setChoosing(false)}
              />
            )}
          </span>
        )}
        <ActButton action="gate.evidence" tone="ghost" icon={FileSearch}>
          Open in its run
        </ActButton>
      </div>
      <h1 className="reads">{inPlainSight(gateHeadline(gate))}</h1>
      <p className={`quiet ${styles.gateWho}`}>
        {asker && <Agent id={asker} />}
        {step && step !== gate.title && step !== gate.runName && <span>{step}</span>}
        <a href={hashOf('run', runId)}>{gate.runName}</a>
        <span>
          asked <Ago at={gate.openedAt} />
        </span>
        {open && gate.snoozedUntil !== null && (
          <span>
            snoozed, back <Until at={gate.snoozedUntil} />
          </span>
        )}
      </p>
    </header>
  );
}
