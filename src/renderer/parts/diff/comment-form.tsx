import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button';
import { TextArea } from '../../ui/field';
import type { LineComment } from './comments';

interface CommentFormProps {
  readonly place: string;
  readonly text: string;
  readonly onKeep: (text: string) => void;
  readonly onClose: () => void;
}

/** Keeps a text that was begun and neither kept nor closed when its place goes away, as with its hunk. */
function useCutOff(text: string, before: string, onKeep: (text: string) => void): { current: boolean } {
  const over = useRef(false);
  const last = useRef({ text, before, onKeep });
  last.current = { text, before, onKeep };
  useEffect(
    () => () => {
      const { text, before, onKeep } = last.current;
      if (!over.current && text.trim() !== '' && text !== before) onKeep(text);
    },
    [],
  );
  return over;
}

/** A comment as it is written: kept with Ctrl+Enter, it waits in the prompt until that is sent. */
export function CommentForm({ place, text: before, onKeep, onClose }: CommentFormProps) {
  const [text, setText] = useState(before);
  const over = useCutOff(text, before, onKeep);
  const close = () => {
    over.current = true;
    onClose();
  };
  const keep = () => {
    onKeep(text);
    close();
  };
  return (
    <div className="comment-card writing">
      <TextArea
        aria-label={`Comment on ${place}`}
        placeholder="What should be otherwise here? It is sent with your next prompt."
        autoFocus
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) keep();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <footer>
        <Button tone="ghost" caps={['Esc']} onClick={close}>
          Close
        </Button>
        <Button
          tone="primary"
          caps={['Ctrl', 'Enter']}
          disabled={text.trim() === '' && before === ''}
          onClick={keep}
        >
          Add to the prompt
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
    <div className="comment-card">
      <button type="button" className="comment-text" title="Edit the comment" onClick={onEdit}>
        {comment.comment}
      </button>
      <IconButton icon={X} label={`Remove the comment on line ${comment.line}`} onClick={onRemove} />
    </div>
  );
}
