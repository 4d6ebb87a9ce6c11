import { TextInput } from '@renderer/ui/controls/field';
import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import styles from './chooser.module.css';

export interface Choice {
  readonly id: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly icon?: ReactNode;
  /** Why the item cannot be chosen; null if it can. */
  readonly whyNot: string | null;
}

interface ChooserProps {
  readonly label: string;
  readonly placeholder: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
  /** Fills the drag data, if the choices can be dragged. */
  readonly onDrag?: (id: string, data: DataTransfer) => void;
}

/** Longer lists are narrowed by words. */
const MOST_CHOICES = 200;

/** A searchable list on the canvas, used by mouse and keyboard. */
export function Chooser({ label, placeholder, choices, onChoose, onClose, onDrag }: ChooserProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.focus(), []);
  const found = matching(choices, text);
  const active = Math.min(at, found.length - 1);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const choose = (choice: Choice | undefined) => {
    if (choice !== undefined && choice.whyNot === null) onChoose(choice.id);
  };
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) setAt((active + by + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') choose(found[active]);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className={styles.chooser} aria-label={label} data-part="canvas-chooser" onKeyDown={keys}>
      <TextInput
        ref={field}
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found[active] === undefined ? undefined : `${id}-${active}`}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
      />
      <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label={label}>
        {found.map((choice, index) => (
          <Option
            key={choice.id}
            id={`${id}-${index}`}
            choice={choice}
            selected={index === active}
            onDrag={onDrag}
            onPick={() => choose(choice)}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p className={`quiet ${styles.none}`} role="status">
          No matches.
        </p>
      )}
    </section>
  );
}

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly selected: boolean;
  readonly onPick: () => void;
  readonly onDrag: ChooserProps['onDrag'];
}

function Option({ id, choice, selected, onPick, onDrag }: OptionProps) {
  const { title, note, icon, whyNot } = choice;
  const drag =
    onDrag === undefined
      ? {}
      : { draggable: true, onDragStart: (event: DragEvent) => onDrag(choice.id, event.dataTransfer) };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
    <div
      id={id}
      className={styles.option}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      aria-disabled={whyNot !== null}
      title={whyNot ?? note}
      onClick={onPick}
      {...drag}
    >
      {icon}
      <span className={`${styles.title} cut`}>{title}</span>
      {(whyNot ?? note) !== undefined && <span className={`${styles.note} cut`}>{whyNot ?? note}</span>}
    </div>
  );
}

/**
 * Choices that contain all the words: enabled ones first, and of these the ones whose title begins with the
 * words.
 */
function matching(choices: readonly Choice[], text: string): readonly Choice[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const found = choices.filter(({ title, note = '' }) => {
    const all = `${title} ${note}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const rank = ({ title, whyNot }: Choice) =>
    (whyNot === null ? 0 : 2) + (title.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_CHOICES);
}
