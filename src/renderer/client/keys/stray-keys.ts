import { STILL_TYPING_MS } from '../../limits';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>;

interface Parts<Field> {
  /** Whether the field was removed or no longer accepts text. */
  isGone(field: Field): boolean;
}

/**
 * Keys of someone still typing after the field was removed: a gate was withdrawn, a session ended. Otherwise
 * each letter would be a command, and one of them approves.
 */
export class StrayKeys<Field> {
  #last: { readonly field: Field; at: number } | null = null;

  constructor(private readonly parts: Parts<Field>) {}

  /** Called for each key before any handler; `field` is the text field that receives it, if any. */
  isStray(event: Pressed, field: Field | null): boolean {
    const before = this.#last;
    this.#last = null;
    const writes = isText(event);
    if (field !== null) {
      if (writes) this.#last = { field, at: event.timeStamp };
      return false;
    }
    if (!writes || before === null || event.timeStamp - before.at > STILL_TYPING_MS) return false;
    if (!this.parts.isGone(before.field)) return false;
    this.#last = { field: before.field, at: event.timeStamp };
    return true;
  }

  forget(): void {
    this.#last = null;
  }
}

/** A key that types text. Enter alone sends as often as it writes, and counts as the end of typing. */
const isText = ({ key, ctrlKey, metaKey, altKey }: Pressed): boolean =>
  !ctrlKey && !metaKey && !altKey && (key.length === 1 || key === 'Backspace' || key === 'Delete');
