import { promptOf } from '@areas/changes/view/parts/comments';
import type { RuleDraft } from '@areas/permissions/contract/rule';
import type { ActionId } from '@renderer/client/actions';
import { useDraft, useHandlers, useReadable } from '@renderer/client/hooks';
import { gateKey } from '@renderer/client/lists/gate-key';
import { decisions } from '@renderer/client/sending/decisions';
import { settings } from '@renderer/client/settings';
import { refresh } from '@renderer/client/wire/query';
import { useCaps } from '@renderer/parts/controls/act';
import { Menu } from '@renderer/ui/controls/menu';
import { type RefObject, useRef, useState } from 'react';
import { type GateOption, missingWords } from '../../../contract/gate';
import { OPTION_ACTIONS } from '../actions';
import { type GateFace, inOrder } from '../face';
import { shownChanges } from '../shown-changes';
import { type AnswerForm, firstForm, formFor, shownWith } from './answer-form';
import { decided, useCooldown } from './decision-cooldown';
import { useGateComments } from './gate-comments';
import { OptionRow } from './option-row';
import { ownAnswers } from './own-answers';
import { PendingAnswer } from './pending-answer';
import { RuleForm } from './rule-form';
import { AnswerTextForm, ReasonForm, TextForm } from './words-forms';

interface GateAnswerProps {
  readonly gate: GateFace;
  /** Whether `a`, `r`, `c` apply to this gate. */
  readonly keys: boolean;
}

const approveOf = (gate: GateFace) => gate.options.find((option) => option.tone === 'approve');
const ruleOf = (gate: GateFace) => gate.options.find((option) => option.id === 'allow_rule');
const rejectOf = (gate: GateFace) => gate.options.find((option) => option.tone === 'reject');

/** The options of an open gate; the chosen one, while it can be undone. */
export function GateAnswer(props: GateAnswerProps) {
  const key = gateKey(props.gate);
  const held = useReadable(decisions.held).find((one) => one.key === key);
  return held ? <PendingAnswer held={held} /> : <OpenAnswer {...props} />;
}

/** The options of an open gate, each with its effect; a text that an option needs is asked for first. */
function OpenAnswer({ gate, keys }: GateAnswerProps) {
  const first = firstForm(gate.options);
  const [form, setForm] = useState<AnswerForm | null>(first);
  // Closing a form returns the focus to the field that the gate asks for.
  const close = () => setForm(first);
  const texts = useRef<HTMLTextAreaElement>(null);
  const ref = useRef<HTMLElement>(null);
  const sender = useSender(gate, keys);
  const { text, setText, resting, disabled, send } = sender;
  const take = (option: GateOption) => {
    if (sender.isCoolingDown()) return;
    const next = formFor(option);
    if (next === null) return send(option);
    setForm(next);
    if (next.kind === 'answer') texts.current?.focus();
  };
  const open = (kind: 'choose' | 'text') => {
    setForm(kind === 'text' && first !== null ? first : { kind });
    if (kind === 'text') texts.current?.focus();
  };
  useAnswerKeys(keys ? gate : null, { ref, take, open });
  const options = inOrder(gate.options);
  const chosen = optionOf(form, options);
  return (
    <section
      ref={ref}
      className="gate-answer"
      aria-label="Your answer"
      data-resting={resting ? '' : undefined}
    >
      {first === null && (
        <TextForm
          area={texts}
          text={text}
          setText={setText}
          open={form?.kind === 'text'}
          offered={gate.kind === 'iteration_blocked' || gate.kind === 'iteration_failed'}
          onClose={close}
        />
      )}
      {form?.kind === 'answer' && chosen && (
        <AnswerTextForm
          area={texts}
          text={text}
          setText={setText}
          option={chosen}
          disabled={disabled}
          takesFocus={keys}
          onSend={() => send(chosen)}
        />
      )}
      {shownWith(form, options).map((option) => (
        <GateOptionRow
          key={option.id}
          option={option}
          keys={keys}
          disabled={disabled}
          action={actionOf(gate, option)}
          onTake={() => take(option)}
        />
      ))}
      {form?.kind === 'rule' && <ByRule gate={gate} sender={sender} onClose={close} />}
      {form?.kind === 'choose' && <OptionMenu options={options} onTake={take} onClose={close} />}
      {form?.kind === 'reason' && chosen && <WithReason option={chosen} sender={sender} onClose={close} />}
    </section>
  );
}

interface OptionFormProps {
  readonly sender: ReturnType<typeof useSender>;
  readonly onClose: () => void;
}

function ByRule({ gate, sender, onClose }: OptionFormProps & { readonly gate: GateFace }) {
  const option = ruleOf(gate);
  if (option === undefined) return null;
  return <RuleForm gate={gate} onSend={(rule) => sender.send(option, { rule })} onClose={onClose} />;
}

const WithReason = ({ option, sender, onClose }: OptionFormProps & { readonly option: GateOption }) => (
  <ReasonForm
    reason={sender.reason}
    setReason={sender.setReason}
    comments={sender.comments}
    resting={sender.resting}
    option={option}
    onSend={() => sender.send(option, { reason: sender.reason })}
    onClose={onClose}
  />
);

const optionOf = (form: AnswerForm | null, options: readonly GateOption[]): GateOption | undefined =>
  form && 'option' in form ? options.find(({ id }) => id === form.option) : undefined;

/**
 * The drafts of an answer, and sending it: with its text, not while the card is new, and after the undo
 * period.
 */
function useSender(gate: GateFace, keys: boolean) {
  const place = `gate/${gate.runId}/${gate.gateId}`;
  const [reason, setReason] = useDraft(`${place}/reason`);
  const [text, setText] = useDraft(`${place}/text`);
  const { comments, clear } = useGateComments(gate);
  const { resting, isCoolingDown } = useCooldown(`${place}/${keys}`);
  const send = (option: GateOption, { reason = '', rule }: { reason?: string; rule?: RuleDraft } = {}) => {
    const because = promptOf(reason, comments);
    const answer = { option: option.id, ...(because && { reason: because }), ...(text && { text }) };
    if (isCoolingDown() || missingWords(option, answer) !== null) return;
    decided();
    const key = gateKey(gate);
    const { runId, gateId } = gate;
    const ended = (taken: boolean) => {
      if (!taken) {
        ownAnswers.remove(key);
        // The changes may have been edited after they were shown.
        void refresh('workspace.diff');
        return;
      }
      setReason('');
      setText('');
      clear();
      if (rule) void refresh('rule.list');
    };
    ownAnswers.add(key);
    const sends = {
      procedure: 'gate.resolve' as const,
      input: { runId, gateId, answer, ...shownChanges(gate), ...(rule && { rule }) },
    };
    const place = window.location.hash;
    const chosen = { key, word: option.label, title: gate.title, place, sends, ended };
    decisions.decide(chosen, settings.get().undoSeconds * 1000);
  };
  return { reason, setReason, comments, text, setText, resting, isCoolingDown, disabled: resting, send };
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

/** The keys that answer a gate; none if they apply to another one. */
function useAnswerKeys(gate: GateFace | null, { ref, take, open }: AnswerKeys): void {
  const taking = (option: GateOption | undefined) => (option ? () => take(option) : null);
  const handlers = gate && {
    'gate.approve': taking(approveOf(gate)),
    'gate.reject': taking(rejectOf(gate)),
    'gate.rule': taking(ruleOf(gate)),
    'gate.choose': () => open('choose'),
    'gate.text': () => open('text'),
    ...Object.fromEntries(numbered(gate).map(([action, option]) => [action, taking(option)])),
  };
  useHandlers(handlers ?? {}, () => isInSight(ref.current));
}

/** The nearest scrolling ancestor. */
function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  const around = element?.parentElement ?? null;
  if (around === null || /auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  return scrollerOf(around);
}

/** For a gate scrolled out of view, no one would know what the key answers. */
function isInSight(answer: HTMLElement | null): boolean {
  const card = answer?.closest<HTMLElement>('[data-part="gate-in-place"]') ?? answer;
  const gate = card?.getBoundingClientRect();
  const around = scrollerOf(card)?.getBoundingClientRect();
  if (gate === undefined || around === undefined) return gate !== undefined;
  return gate.bottom > around.top && gate.top < around.bottom;
}

/** The action whose key chooses an option: its own, otherwise the one for its position. */
function actionOf(gate: GateFace, option: GateOption): ActionId | null {
  if (option === approveOf(gate)) return 'gate.approve';
  if (option === rejectOf(gate)) return 'gate.reject';
  if (option === ruleOf(gate)) return 'gate.rule';
  return numbered(gate).find(([, one]) => one === option)?.[0] ?? null;
}

/** The options without a key of their own, each with its number. */
const numbered = (gate: GateFace): [ActionId, GateOption][] =>
  inOrder(gate.options).flatMap((option, at): [ActionId, GateOption][] => {
    const hasOwnButton = [approveOf(gate), rejectOf(gate), ruleOf(gate)].includes(option);
    const action = OPTION_ACTIONS[at];
    return hasOwnButton || action === undefined ? [] : [[action, option]];
  });

interface GateOptionRowProps {
  readonly option: GateOption;
  readonly action: ActionId | null;
  readonly keys: boolean;
  readonly disabled: boolean;
  readonly onTake: () => void;
}

function GateOptionRow({ option, action, keys, disabled, onTake }: GateOptionRowProps) {
  const caps = useCaps(action ?? 'gate.approve');
  const shown = keys && action !== null ? caps : [];
  return <OptionRow option={option} caps={shown} disabled={disabled} onTake={onTake} />;
}
