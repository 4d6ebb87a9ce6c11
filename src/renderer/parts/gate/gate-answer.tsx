import type { GateOption } from '@contract/gate/gate';
import { useState } from 'react';
import { useDraft, useHandlers } from '../../client/hooks';
import { call } from '../../client/rpc';
import { attempt } from '../../client/toasts';
import { Button } from '../../ui/button';
import { TextArea } from '../../ui/field';
import { Keys } from '../../ui/keys';
import { Menu } from '../../ui/menu';
import { useCaps } from '../act';
import { type GateFace, inOrder } from './face';

interface GateAnswerProps {
  readonly gate: GateFace;
  /** Whether `a`, `r`, `c` mean this gate. */
  readonly keys: boolean;
}

const approveOf = (gate: GateFace) => gate.options.find((option) => option.tone === 'approve');
const rejectOf = (gate: GateFace) => gate.options.find((option) => option.tone === 'reject');

/** The options of an open gate. What each will do stands beside it; a reject asks for its reason first. */
export function GateAnswer({ gate, keys }: GateAnswerProps) {
  const [form, setForm] = useState<'reason' | 'text' | 'choose' | null>(null);
  const [sending, setSending] = useState(false);
  const place = `gate/${gate.runId}/${gate.gateId}`;
  const [reason, setReason] = useDraft(`${place}/reason`);
  const [text, setText] = useDraft(`${place}/text`);
  const send = async (option: GateOption, because?: string) => {
    if (sending) return;
    setSending(true);
    const { runId, gateId } = gate;
    const answer = { option: option.id, ...(because && { reason: because }), ...(text && { text }) };
    const answered = await attempt(call('gate.resolve', { runId, gateId, answer }));
    setSending(false);
    if (answered === null) return;
    setReason('');
    setText('');
  };
  const take = (option: GateOption) => (option.tone === 'reject' ? setForm('reason') : void send(option));
  const [approve, reject] = [approveOf(gate), rejectOf(gate)];
  useHandlers({
    'gate.approve': keys && approve ? () => take(approve) : null,
    'gate.reject': keys && reject ? () => take(reject) : null,
    'gate.choose': keys ? () => setForm('choose') : null,
    'gate.text': keys ? () => setForm('text') : null,
  });
  const options = inOrder(gate.options);
  return (
    <section className="gate-answer" aria-label="Your answer">
      {form === 'text' || text !== '' ? (
        <TextForm text={text} setText={setText} onClose={() => setForm(null)} />
      ) : null}
      {(form === 'reason' ? options.filter((option) => option === reject) : options).map((option) => (
        <OptionRow key={option.id} option={option} gate={gate} keys={keys} disabled={sending} onTake={take} />
      ))}
      {form === 'choose' && (
        <Menu
          label="Options"
          items={options.map((option) => ({ ...option, hint: option.effect, run: () => take(option) }))}
          onClose={() => setForm(null)}
        />
      )}
      {form === 'reason' && reject && (
        <ReasonForm
          reason={reason}
          setReason={setReason}
          option={reject}
          onSend={() => void send(reject, reason)}
          onClose={() => setForm(null)}
        />
      )}
    </section>
  );
}

interface OptionRowProps {
  readonly option: GateOption;
  readonly gate: GateFace;
  readonly keys: boolean;
  readonly disabled: boolean;
  readonly onTake: (option: GateOption) => void;
}

function OptionRow({ option, gate, keys, disabled, onTake }: OptionRowProps) {
  const approveCaps = useCaps('gate.approve');
  const rejectCaps = useCaps('gate.reject');
  const caps = option === approveOf(gate) ? approveCaps : option === rejectOf(gate) ? rejectCaps : [];
  return (
    <button
      type="button"
      className={`gate-option ${option.tone}`}
      disabled={disabled}
      onClick={() => onTake(option)}
    >
      <strong>{option.label}</strong>
      <span className="quiet grow">{option.effect}</span>
      {keys && <Keys caps={caps} />}
    </button>
  );
}

interface ReasonFormProps {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  readonly option: GateOption;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

function ReasonForm({ reason, setReason, option, onSend, onClose }: ReasonFormProps) {
  return (
    <div className="gate-form">
      <TextArea
        aria-label={`Reason to ${option.label.toLowerCase()}`}
        placeholder="Why? The reason is handed on with your answer."
        autoFocus
        rows={3}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => onFormKey(event, onSend, onClose)}
      />
      <footer>
        <Button tone="ghost" caps={['Esc']} onClick={onClose}>
          Close, keep the draft
        </Button>
        <Button tone="danger" caps={['Ctrl', 'Enter']} onClick={onSend}>
          {option.label}
        </Button>
      </footer>
    </div>
  );
}

interface TextFormProps {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly onClose: () => void;
}

function TextForm({ text, setText, onClose }: TextFormProps) {
  return (
    <div className="gate-form">
      <TextArea
        aria-label="Text of your answer"
        placeholder="A text that is handed on with your answer"
        autoFocus={text === ''}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => onFormKey(event, () => event.currentTarget.blur(), onClose)}
      />
    </div>
  );
}

/** Enter alone writes a line: nothing is ever decided by it. */
function onFormKey(event: React.KeyboardEvent, onSend: () => void, onClose: () => void): void {
  if (event.key === 'Escape') onClose();
  else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
