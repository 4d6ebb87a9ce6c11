import { type GateOption, missingWords } from '@contract/gate/gate';
import type { RuleDraft } from '@contract/permission/rule';
import { type RefObject, useRef, useState } from 'react';
import { gateKey } from '../../client/gate-key';
import { useDraft, useHandlers } from '../../client/hooks';
import { refresh } from '../../client/query';
import { call } from '../../client/rpc';
import { attempt } from '../../client/toasts';
import { Keys } from '../../ui/keys';
import { Menu } from '../../ui/menu';
import { useCaps } from '../act';
import { type AnswerForm, firstForm, formFor, shownWith } from './answer-form';
import { decided, useRest } from './decision-rest';
import { type GateFace, inOrder } from './face';
import styles from './gate-answer.module.css';
import { ownAnswers } from './own-answers';
import { RuleForm } from './rule-form';
import { AnswerTextForm, ReasonForm, TextForm } from './words-forms';

interface GateAnswerProps {
  readonly gate: GateFace;
  /** Whether `a`, `r`, `c` mean this gate. */
  readonly keys: boolean;
}

const approveOf = (gate: GateFace) => gate.options.find((option) => option.tone === 'approve');
const ruleOf = (gate: GateFace) => gate.options.find((option) => option.id === 'allow_rule');
const rejectOf = (gate: GateFace) => gate.options.find((option) => option.tone === 'reject');

/** The options of an open gate. What each will do stands beside it; words that an option needs are asked for first. */
export function GateAnswer({ gate, keys }: GateAnswerProps) {
  const first = firstForm(gate.options);
  const [form, setForm] = useState<AnswerForm | null>(first);
  // Closing a form leads back to the field that the gate asks for.
  const close = () => setForm(first);
  const texts = useRef<HTMLTextAreaElement>(null);
  const ref = useRef<HTMLElement>(null);
  const sender = useSender(gate, keys);
  const { reason, setReason, text, setText, resting, disabled, send } = sender;
  const take = (option: GateOption) => {
    if (sender.isResting()) return;
    const next = formFor(option);
    if (next === null) return void send(option);
    setForm(next);
    if (next.kind === 'answer') texts.current?.focus();
  };
  const open = (kind: 'choose' | 'text') => {
    setForm(kind === 'text' && first !== null ? first : { kind });
    if (kind === 'text') texts.current?.focus();
  };
  useAnswerKeys(keys ? gate : null, { ref, take, open });
  const options = inOrder(gate.options);
  const chosen = form && 'option' in form ? options.find(({ id }) => id === form.option) : undefined;
  const byRule = form?.kind === 'rule' ? ruleOf(gate) : undefined;
  const field = { area: texts, text, setText };
  return (
    <section
      ref={ref}
      className="gate-answer"
      aria-label="Your answer"
      data-resting={resting ? '' : undefined}
    >
      {first === null && (
        <TextForm
          {...field}
          open={form?.kind === 'text'}
          offered={gate.kind === 'iteration_blocked' || gate.kind === 'iteration_failed'}
          onClose={close}
        />
      )}
      {form?.kind === 'answer' && chosen && (
        <AnswerTextForm
          {...field}
          option={chosen}
          disabled={disabled}
          takesFocus={keys}
          onSend={() => void send(chosen)}
        />
      )}
      {shownWith(form, options).map((option) => (
        <OptionRow
          key={option.id}
          option={option}
          gate={gate}
          keys={keys}
          disabled={disabled}
          onTake={take}
        />
      ))}
      {byRule && <RuleForm gate={gate} onSend={(rule) => void send(byRule, { rule })} onClose={close} />}
      {form?.kind === 'choose' && <OptionMenu options={options} onTake={take} onClose={close} />}
      {form?.kind === 'reason' && chosen && (
        <ReasonForm
          {...{ reason, setReason, resting }}
          option={chosen}
          onSend={() => void send(chosen, { because: reason })}
          onClose={close}
        />
      )}
    </section>
  );
}

/** The drafts of an answer, and sending it: once, with its words, and not while the card is new. */
function useSender(gate: GateFace, keys: boolean) {
  const place = `gate/${gate.runId}/${gate.gateId}`;
  const [sending, setSending] = useState(false);
  const [reason, setReason] = useDraft(`${place}/reason`);
  const [text, setText] = useDraft(`${place}/text`);
  const { resting, isResting } = useRest(`${place}/${keys}`);
  const send = async (option: GateOption, { because, rule }: { because?: string; rule?: RuleDraft } = {}) => {
    const answer = { option: option.id, ...(because && { reason: because }), ...(text && { text }) };
    if (sending || isResting() || missingWords(option, answer) !== null) return;
    setSending(true);
    decided();
    const { runId, gateId } = gate;
    ownAnswers.add(gateKey(gate));
    const answered = await attempt(call('gate.resolve', { runId, gateId, answer, ...(rule && { rule }) }));
    setSending(false);
    if (answered === null) return ownAnswers.remove(gateKey(gate));
    setReason('');
    setText('');
    if (rule) void refresh('rule.list');
  };
  const disabled = sending || resting;
  return { reason, setReason, text, setText, resting, isResting, disabled, send };
}

interface OptionMenuProps {
  readonly options: readonly GateOption[];
  readonly onTake: (option: GateOption) => void;
  readonly onClose: () => void;
}

const OptionMenu = ({ options, onTake, onClose }: OptionMenuProps) => (
  <Menu
    label="Options"
    items={options.map((option) => ({ ...option, hint: option.effect, run: () => onTake(option) }))}
    onClose={onClose}
  />
);

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

/** Of a gate that is scrolled out of sight no one knows what the key would answer. */
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
      className={`${styles.gateOption} ${option.tone}`}
      data-part="gate-option"
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
