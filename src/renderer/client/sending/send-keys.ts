import type { Drafts } from './drafts';
import { newUid } from './uid';

/** One sending of a draft: its key, and its result. */
export interface Sending {
  readonly key: string;
  answered(): void;
  /** Called after the draft was put back. */
  unanswered(): void;
}

/**
 * Idempotency keys, one per intended sending. An unanswered draft that is sent again unchanged keeps its key,
 * so that the core acts once; a changed or rewritten draft gets a new key.
 */
export class SendKeys {
  constructor(private readonly drafts: Pick<Drafts, 'cell' | 'write'>) {}

  begin(place: string, draft: string): Sending {
    const kept = this.#kept(place);
    const print = printOf(draft);
    const key = kept?.print === print ? kept.key : newUid();
    const keep = () => this.drafts.write(keptAt(place), `${key} ${print}`);
    keep();
    const answered = () => {
      if (this.#kept(place)?.key === key) this.drafts.write(keptAt(place), '');
    };
    return { key, answered, unanswered: keep };
  }

  /** Reports the current draft: the key of another draft is not used again. */
  drafted(place: string, draft: string): void {
    const kept = this.#kept(place);
    if (kept !== null && kept.print !== printOf(draft)) this.drafts.write(keptAt(place), '');
  }

  #kept(place: string): { readonly key: string; readonly print: string } | null {
    const [key = '', print = ''] = this.drafts.cell(keptAt(place)).get().split(' ');
    return key === '' ? null : { key, print };
  }
}

const keptAt = (place: string): string => `${place}/sent`;

/** A fingerprint of a draft; its text may be too long to be stored twice. */
function printOf(draft: string): string {
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  for (let index = 0; index < draft.length; index += 1) {
    const unit = draft.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 13);
  }
  return `${draft.length}-${(one >>> 0).toString(36)}-${(other >>> 0).toString(36)}`;
}
