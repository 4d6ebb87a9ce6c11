import { TextArea } from '@renderer/ui/controls/field';
import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { type Completion, complete, completionAt } from './addressee';
import styles from './mention-area.module.css';

interface MentionAreaProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly names: readonly string[];
  readonly placeholder: string;
  readonly disabled: boolean;
  readonly onSend: () => void;
}

/** A text field in which `@` offers names: arrows select, Tab or Enter accepts, Esc closes. */
export function MentionArea({ area, text, setText, names, placeholder, disabled, onSend }: MentionAreaProps) {
  const [offer, setOffer] = useState<Completion | null>(null);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const caret = useRef(0);
  const goTo = useRef<number | null>(null);
  const look = (element: HTMLTextAreaElement) => {
    caret.current = element.selectionStart;
    setOffer(completionAt(element.value, element.selectionStart, names));
    setChosen(0);
  };
  const take = (name: string | undefined) => {
    if (offer === null || name === undefined) return;
    const done = complete(text, { from: offer.from, caret: caret.current, name });
    setText(done.text);
    setOffer(null);
    goTo.current = done.caret;
  };
  // Before the next key, so that further typing goes after the name.
  useLayoutEffect(() => {
    if (goTo.current !== null) area.current?.setSelectionRange(goTo.current, goTo.current);
    goTo.current = null;
  });
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey) onSend();
    else if (offer === null) return;
    else if (event.key === 'ArrowDown') setChosen((chosen + 1) % offer.names.length);
    else if (event.key === 'ArrowUp') setChosen((chosen + offer.names.length - 1) % offer.names.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(offer.names[chosen]);
    else if (event.key === 'Escape') setOffer(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.mentionArea}>
      {offer !== null && <Names id={id} names={offer.names} chosen={chosen} onTake={take} />}
      <TextArea
        ref={area}
        rows={1}
        aria-label="Message"
        aria-describedby="composer-happens"
        aria-autocomplete="list"
        aria-controls={offer === null ? undefined : id}
        aria-activedescendant={offer === null ? undefined : `${id}-${chosen}`}
        placeholder={placeholder}
        // It keeps the focus, so that keys typed when the team ends do not trigger shortcuts.
        readOnly={disabled}
        aria-disabled={disabled}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          look(event.target);
        }}
        onBlur={() => setOffer(null)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

interface NamesProps {
  readonly id: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onTake: (name: string) => void;
}

/** The text field keeps the focus; the selected option is exposed by its id. */
function Names({ id, names, chosen, onTake }: NamesProps) {
  return (
    <div id={id} className={`menu ${styles.mentionMenu}`} role="listbox" aria-label="Names">
      {names.map((name, index) => (
        <button
          key={name}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className={index === chosen ? 'chosen' : ''}
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(name);
          }}
        >
          @{name}
        </button>
      ))}
    </div>
  );
}
