import { alikeOf } from '@areas/gates/contract/cause';
import {
  type GateAnswer,
  type GateOption,
  missingWords,
  needsReason,
  needsText,
} from '@areas/gates/contract/gate';
import type { GateRow } from '@areas/gates/contract/procedures';
import { gateOrigin } from '@areas/gates/contract/requester';
import { decided } from '@areas/gates/view/parts/answer/decision-cooldown';
import { ownAnswers } from '@areas/gates/view/parts/answer/own-answers';
import type { ProcedureOutput } from '@contract/ipc';
import { plural } from '@renderer/client/format';
import { useHandlers, useReadable } from '@renderer/client/hooks';
import { gateKey } from '@renderer/client/lists/gate-key';
import { openGates } from '@renderer/client/lists/lists';
import { call } from '@renderer/client/rpc';
import { attempt, complain, say } from '@renderer/client/toasts';
import { ActButton } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';
import { Field, Segments, TextArea } from '@renderer/ui/controls/field';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { CopyCheck } from 'lucide-react';
import { useState } from 'react';

type AlikeReply = ProcedureOutput<'gate.resolveAlike'>;

/** Offers to answer all open questions with the same cause at once. */
export function AnswerAlike({ gate }: { gate: GateRow }) {
  const { value } = useReadable(openGates);
  // The confirmation applies to the listed questions, even if others are asked meanwhile.
  const [listed, setListed] = useState<readonly GateRow[] | null>(null);
  const alike = gate.status === 'open' ? alikeOf(value ?? [], gate) : [];
  const open = alike.length > 1 ? () => setListed(alike) : null;
  useHandlers({ 'gate.alike': open });
  return (
    <>
      {open && (
        <ActButton action="gate.alike" tone="ghost" icon={CopyCheck}>
          Answer all {alike.length} alike
        </ActButton>
      )}
      {listed && <AlikeDialog gates={listed} onClose={() => setListed(null)} />}
    </>
  );
}

interface AlikeDialogProps {
  readonly gates: readonly GateRow[];
  readonly onClose: () => void;
}

function AlikeDialog({ gates, onClose }: AlikeDialogProps) {
  const options = (gates[0]?.options ?? []).filter(({ id }) => id !== 'allow_rule');
  const [chosen, setChosen] = useState(options.find(({ tone }) => tone === 'approve')?.id ?? '');
  const [words, setWords] = useState('');
  const option = options.find(({ id }) => id === chosen);
  const asks = wordsOf(option);
  const answer: GateAnswer = { option: chosen, ...(asks !== null && { [asks]: words }) };
  const ready = option !== undefined && missingWords(option, answer) === null;
  const send = async () => {
    decided();
    for (const gate of gates) ownAnswers.add(gateKey(gate));
    const ids = gates.map(({ runId, gateId }) => ({ runId, gateId }));
    const done = await attempt(call('gate.resolveAlike', { gates: ids, answer }));
    const open = new Set(done?.answered.map(gateKey));
    for (const gate of gates) if (!open.has(gateKey(gate))) ownAnswers.remove(gateKey(gate));
    if (done === null) return;
    tell(done);
    onClose();
  };
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button tone="primary" disabled={!ready} onClick={() => void send()}>
        Answer {plural(gates.length, 'question')}
      </Button>
    </>
  );
  return (
    <Question title={`Answer ${plural(gates.length, 'question')} alike`} onClose={onClose} footer={buttons}>
      <GateNames gates={gates} />
      <Field label="Answer" hint={option?.effect}>
        {() => (
          <Segments
            label="Answer"
            value={chosen}
            options={options.map(({ id, label }) => ({ value: id, label }))}
            onChange={setChosen}
          />
        )}
      </Field>
      {asks !== null && (
        <Field label={asks === 'reason' ? 'Reason' : 'Text'}>
          {(ids) => <TextArea {...ids} value={words} onChange={(event) => setWords(event.target.value)} />}
        </Field>
      )}
    </Question>
  );
}

const wordsOf = (option: GateOption | undefined): 'text' | 'reason' | null => {
  if (option === undefined) return null;
  return needsText(option) ? 'text' : needsReason(option) ? 'reason' : null;
};

const GateNames = ({ gates }: { gates: readonly GateRow[] }) => (
  <ul className="quiet">
    {gates.map((gate) => (
      <li key={gateKey(gate)}>
        {inPlainSight(gate.title)} <span className="faint">{gateOrigin(gate)}</span>
      </li>
    ))}
  </ul>
);

/** What was not answered and why, in a notice: the card that the questions were answered on may be gone by then. */
function tell({ answered, refused }: AlikeReply): void {
  const [first] = refused;
  if (first === undefined) return say(`Answered ${plural(answered.length, 'question')}`);
  const named = refused.map(({ title, error }) => `${inPlainSight(title)}: ${error.message}`).join('; ');
  const count = `Answered ${answered.length} of ${plural(answered.length + refused.length, 'question')}.`;
  complain({ code: first.error.code, message: `${count} Not answered: ${named}` });
}
