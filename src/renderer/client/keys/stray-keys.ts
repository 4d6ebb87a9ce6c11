import { STILL_TYPING_MS } from '../../limits';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>;

interface Parts<Field> {
  /** It is not on screen any more, or takes no text. */
  isGone(field: Field): boolean;
}

/**
 * Keys of someone who still writes where the field has just gone: a gate that was withdrawn meanwhile, a session that
 * ended. Each letter would be a command otherwise, and one of them approves.
 */
export class StrayKeys<Field> {
  #last: { readonly field: Field; at: number } | null = null;

  constructor(private readonly parts: Parts<Field>) {}

  /** Each key, before anyone takes it; `field` is the text field that it goes to, where it goes to one. */
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

/** A key that writes. Enter with nothing else sends as often as it writes, and counts as the end. */
const isText = ({ key, ctrlKey, metaKey, altKey }: Pressed): boolean =>
  !ctrlKey && !metaKey && !altKey && (key.length === 1 || key === 'Backspace' || key === 'Delete');
