import { type GateOption, needsReason } from '@contract/gate/gate';
import type { RuleDraft } from '@contract/permission/rule';
import { type RefObject, useRef, useState } from 'react';
import { gateKey } from '../../client/gate-key';
import { useDraft, useHandlers } from '../../client/hooks';
import { refresh } from '../../client/query';
import { call } from '../../client/rpc';
import { attempt } from '../../client/toasts';
import { Button } from '../../ui/button';
import { TextArea } from '../../ui/field';
import { Keys } from '../../ui/keys';
import { Menu } from '../../ui/menu';
import { useCaps } from '../act';
import { type AnswerForm, formFor, shownWith } from './answer-form';
import { type GateFace, inOrder } from './face';
import { onFormKey } from './form-key';
import { ownAnswers } from './own-answers';
import { RuleForm } from './rule-form';

interface GateAnswerProps {
  readonly gate: GateFace;
  /** Whether `a`, `r`, `c` mean this gate. */
  readonly keys: boolean;
}

const approveOf = (gate: GateFace) => gate.options.find((option) => option.tone === 'approve');
const ruleOf = (gate: GateFace) => gate.options.find((option) => option.id === 'allow_rule');
const rejectOf = (gate: GateFace) => gate.options.find((option) => option.tone === 'reject');

/** The options of an open gate. What each will do stands beside it; a reject asks for its reason first. */
export function GateAnswer({ gate, keys }: GateAnswerProps) {
  const [form, setForm] = useState<AnswerForm | null>(null);
  const [sending, setSending] = useState(false);
  const texts = useRef<HTMLTextAreaElement>(null);
  const ref = useRef<HTMLElement>(null);
  const place = `gate/${gate.runId}/${gate.gateId}`;
  const [reason, setReason] = useDraft(`${place}/reason`);
  const [text, setText] = useDraft(`${place}/text`);
  const send = async (option: GateOption, { because, rule }: { because?: string; rule?: RuleDraft } = {}) => {
    if (sending) return;
    setSending(true);
    const { runId, gateId } = gate;
    ownAnswers.add(gateKey(gate));
    const answer = { option: option.id, ...(because && { reason: because }), ...(text && { text }) };
    const answered = await attempt(call('gate.resolve', { runId, gateId, answer, ...(rule && { rule }) }));
    setSending(false);
    if (answered === null) return ownAnswers.remove(gateKey(gate));
    setReason('');
    setText('');
    if (rule) void refresh('rule.list');
  };
  const byRule = ruleOf(gate);
  const take = (option: GateOption) => {
    const next = formFor(option);
    if (next === null) void send(option);
    else setForm(next);
  };
  const open = (kind: 'choose' | 'text') => {
    setForm({ kind });
    if (kind === 'text') texts.current?.focus();
  };
  useAnswerKeys(keys ? gate : null, { ref, take, open });
  const options = inOrder(gate.options);
  const shown = shownWith(form, options);
  const because = form?.kind === 'reason' ? options.find(({ id }) => id === form.option) : undefined;
  return (
    <section ref={ref} className="gate-answer" aria-label="Your answer">
      <TextForm
        area={texts}
        open={form?.kind === 'text'}
        text={text}
        setText={setText}
        onClose={() => setForm(null)}
      />
      {shown.map((option) => (
        <OptionRow key={option.id} option={option} gate={gate} keys={keys} disabled={sending} onTake={take} />
      ))}
      {form?.kind === 'rule' && byRule && (
        <RuleForm gate={gate} onSend={(rule) => void send(byRule, { rule })} onClose={() => setForm(null)} />
      )}
      {form?.kind === 'choose' && (
        <Menu
          label="Options"
          items={options.map((option) => ({ ...option, hint: option.effect, run: () => take(option) }))}
          onClose={() => setForm(null)}
        />
      )}
      {because && (
        <ReasonForm
          reason={reason}
          setReason={setReason}
          option={because}
          onSend={() => void send(because, { because: reason })}
          onClose={() => setForm(null)}
        />
      )}
    </section>
  );
}

interface AnswerKeys {
  readonly ref: RefObject<HTMLElement | null>;
  readonly take: (option: GateOption) => void;
  readonly open: (kind: 'choose' | 'text') => void;
}

/** The keys that answer a gate; none where they mean another one. */
function useAnswerKeys(gate: GateFace | null, { ref, take, open }: AnswerKeys): void {
  const taking = (option: GateOption | undefined) => (option ? () => take(option) : null);
  const handlers = gate && {
    'gate.approve': taking(approveOf(gate)),
    'gate.reject': taking(rejectOf(gate)),
    'gate.rule': taking(ruleOf(gate)),
    'gate.choose': () => open('choose'),
    'gate.text': () => open('text'),
  };
  useHandlers(handlers ?? {}, () => isInSight(ref.current));
}

/** Of a gate that is scrolled out of sight nobody knows what the key would answer. */
function isInSight(answer: HTMLElement | null): boolean {
  const gate = (answer?.closest('.gate-in-place') ?? answer)?.getBoundingClientRect();
  const around = answer?.closest('.scroll')?.getBoundingClientRect();
  if (gate === undefined || around === undefined) return gate !== undefined;
  return gate.bottom > around.top && gate.top < around.bottom;
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
  const ruleCaps = useCaps('gate.rule');
  const caps =
    option === approveOf(gate)
      ? approveCaps
      : option === rejectOf(gate)
        ? rejectCaps
        : option === ruleOf(gate)
          ? ruleCaps
          : [];
  return (
    <button
      type="button"
      className={`gate-option ${option.tone}`}
      disabled={disabled}
      // The second click of two was meant for the card that has just gone.
      onClick={(event) => event.detail < 2 && onTake(option)}
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
  const missing = needsReason(option) && reason.trim() === '';
  const send = () => {
    if (!missing) onSend();
  };
  return (
    <div className="gate-form">
      <TextArea
        aria-label={`Reason to ${option.label.toLowerCase()}`}
        placeholder="Why? The reason is handed on with your answer."
        autoFocus
        rows={3}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => onFormKey(event, send, onClose)}
      />
      <footer>
        <Button tone="ghost" caps={['Esc']} onClick={onClose}>
          Close, keep the draft
        </Button>
        <Button tone="danger" caps={['Ctrl', 'Enter']} disabled={missing} onClick={send}>
          {option.label}
        </Button>
      </footer>
    </div>
  );
}

interface TextFormProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  /** It is asked for; a text that was begun stays in sight without that. */
  readonly open: boolean;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly onClose: () => void;
}

function TextForm({ area, open, text, setText, onClose }: TextFormProps) {
  // An emptied field stays until it is closed: without it the next letter would go to the page, and decide.
  const [entered, setEntered] = useState(false);
  if (!open && !entered && text === '') return null;
  const close = () => {
    if (text === '') setEntered(false);
    onClose();
  };
  return (
    <div className="gate-form">
      <TextArea
        ref={area}
        aria-label="Text of your answer"
        placeholder="A text that is handed on with your answer"
        autoFocus={text === ''}
        rows={2}
        value={text}
        onFocus={() => setEntered(true)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => onFormKey(event, () => event.currentTarget.blur(), close)}
      />
    </div>
  );
}
