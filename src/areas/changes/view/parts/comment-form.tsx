import { useDraft } from '@renderer/client/hooks';
import { sendCaps } from '@renderer/parts/controls/act';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { TextArea } from '@renderer/ui/controls/field';
import { X } from 'lucide-react';
import { useState } from 'react';
import styles from './comment-form.module.css';
import type { LineComment } from './comments';

interface CommentFormProps {
  /** The key under which the text is saved: its hunk may be redrawn or removed. */
  readonly draft: string;
  readonly place: string;
  readonly text: string;
  readonly sentWith: 'prompt' | 'answer';
  readonly onKeep: (text: string) => void;
  readonly onClose: () => void;
}

/** The form of a comment: saved with Ctrl+Enter, it waits until the prompt is sent. */
export function CommentForm(props: CommentFormProps) {
  const { draft, place, text: before, sentWith, onKeep, onClose } = props;
  const [begun, setBegun] = useDraft(draft);
  const [text, setText] = useState(begun || before);
  const keep = () => {
    onKeep(text);
    setBegun('');
    onClose();
  };
  return (
    <div className={`${styles.commentCard} ${styles.writing}`} data-part="comment-card">
      <TextArea
        aria-label={`Comment on ${place}`}
        placeholder={`What should change here? It is sent with your ${sentWith === 'prompt' ? 'next prompt' : 'answer'}.`}
        autoFocus
        rows={2}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setBegun(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) keep();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <footer>
        <Button tone="ghost" caps={['Esc']} onClick={onClose}>
          Close
        </Button>
        <Button tone="primary" caps={sendCaps} disabled={text.trim() === '' && before === ''} onClick={keep}>
          {sentWith === 'prompt' ? 'Add to the prompt' : 'Add to the reason'}
        </Button>
      </footer>
    </div>
  );
}

interface CommentCardProps {
  readonly comment: LineComment;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

export function CommentCard({ comment, onEdit, onRemove }: CommentCardProps) {
  return (
    <div className={styles.commentCard} data-part="comment-card">
      <button type="button" className={styles.commentText} title="Edit the comment" onClick={onEdit}>
        {comment.comment}
      </button>
      <IconButton icon={X} label={`Remove the comment on line ${comment.line}`} onClick={onRemove} />
    </div>
  );
}
