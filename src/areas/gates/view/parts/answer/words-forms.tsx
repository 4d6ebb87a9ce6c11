import { type LineComment, promptOf } from '@areas/changes/view/parts/comments';
import { plural } from '@renderer/client/format';
import { keyCaps } from '@renderer/client/keys/keys';
import { isMac, registry } from '@renderer/client/wire/window';
import { Button } from '@renderer/ui/controls/button';
import { TextArea } from '@renderer/ui/controls/field';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type GateOption, missingWords, needsReason } from '../../../contract/gate';
import { onFormKey } from './form-key';
import styles from './words-forms.module.css';

export const SEND_CAPS = keyCaps('mod+enter', isMac);

interface ReasonFormProps {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  /** The comments on lines of the diff; they are added to the reason. */
  readonly comments: readonly LineComment[];
  readonly option: GateOption;
  readonly resting: boolean;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

export function ReasonForm(props: ReasonFormProps) {
  const { reason, setReason, comments, option, resting, onSend, onClose } = props;
  const missing = missingWords(option, { reason: promptOf(reason, comments) }) !== null;
  const send = () => {
    if (!missing) onSend();
  };
  return (
    <div className={styles.gateForm}>
      <TextArea
        aria-label={`Reason for "${option.label}"`}
        placeholder={`Why? The reason is passed on with your answer.${needsReason(option) ? '' : ' You can leave this empty.'}`}
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
        {comments.length > 0 && (
          <span className="quiet note">with {plural(comments.length, 'comment')} on the diff</span>
        )}
        <Button tone="danger" caps={SEND_CAPS} disabled={missing || resting} onClick={send}>
          {option.label}
        </Button>
      </footer>
    </div>
  );
}

interface AnswerTextFormProps {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly option: GateOption;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly disabled: boolean;
  /** The keys apply to this gate: its field gets the focus, unless the operator types elsewhere or walks past it. */
  readonly takesFocus: boolean;
  readonly onSend: () => void;
}

const isWriting = (): boolean =>
  document.activeElement instanceof HTMLElement && document.activeElement.matches('input, textarea, select');

/** The field of a gate that asks for a text. It is shown from the start, and an empty text cannot be sent. */
export function AnswerTextForm(props: AnswerTextFormProps) {
  const { text, setText, option, area, disabled, takesFocus, onSend } = props;
  const missing = missingWords(option, { text }) !== null;
  const tried = useRef(false);
  useEffect(() => {
    if (!takesFocus || tried.current) return;
    tried.current = true;
    if (!isWriting() && !registry.walks) area.current?.focus();
  }, [takesFocus, area]);
  const send = () => {
    if (!missing) onSend();
  };
  return (
    <div className={`${styles.gateForm} ${styles.gateText}`}>
      <TextArea
        ref={area}
        aria-label="Your answer"
        placeholder="Write your answer"
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => onFormKey(event, send, () => event.currentTarget.blur())}
      />
      <footer>
        <span className="quiet grow">{inPlainSight(option.effect)}</span>
        <Button tone="primary" caps={SEND_CAPS} disabled={missing || disabled} onClick={send}>
          {option.label}
        </Button>
      </footer>
    </div>
  );
}

interface TextFormProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  /** The form is requested; a started text stays visible without that. */
  readonly open: boolean;
  /** The text is passed to the next worker: its field is visible from the start, without the focus. */
  readonly offered: boolean;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly onClose: () => void;
}

/** An optional text beside an answer. */
export function TextForm({ area, open, offered, text, setText, onClose }: TextFormProps) {
  // An emptied field stays until it is closed: otherwise the next letter would be a command, and decide.
  const [entered, setEntered] = useState(false);
  if (!open && !offered && !entered && text === '') return null;
  const close = () => {
    if (text === '') setEntered(false);
    onClose();
  };
  return (
    <div className={styles.gateForm}>
      <TextArea
        ref={area}
        aria-label="Text of your answer"
        placeholder={offered ? 'What the next worker should know' : 'A text to pass on with your answer'}
        autoFocus={open && text === ''}
        rows={2}
        value={text}
        onFocus={() => setEntered(true)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => onFormKey(event, () => event.currentTarget.blur(), close)}
      />
    </div>
  );
}
