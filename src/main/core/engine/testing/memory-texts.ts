import { createHash } from 'node:crypto';
import { appError } from '@contract/errors';
import { EVENT_TEXT_BYTES } from '@contract/limits';
import { ok } from '@contract/result';
import { utf8Length } from '@contract/text-length';
import type { LargeText, WholeText } from '@contract/whole-text';
import { type RunTextFiles, TextFault, type WholeTexts } from '../../ports/whole-texts';

/** Large texts in memory, by the same rule as in files. */
export class MemoryTextFiles implements RunTextFiles {
  readonly files = new Map<string, string>();

  of = (): WholeTexts => ({
    keep: (text) => this.#keep(text),
    keepLater: async (text) => ok(this.#keep(text)),
    keepFile: async (_file, sha256) => {
      const text = this.files.get(sha256) ?? '';
      return ok({
        sha256,
        bytes: utf8Length(text),
        preview: { first: text.slice(0, 100), last: text.slice(-100) },
      });
    },
    read: ({ sha256 }) => {
      const text = this.files.get(sha256);
      if (text === undefined)
        throw new TextFault(appError('reference.unreadable', 'A text of the run is gone'));
      return text;
    },
    path: ({ sha256 }) => `/artifacts/texts/${sha256}.txt`,
  });

  share = async () => ok(undefined);

  #keep(text: string): WholeText {
    const bytes = utf8Length(text);
    if (bytes <= EVENT_TEXT_BYTES) return text;
    const sha256 = createHash('sha256').update(text).digest('hex');
    this.files.set(sha256, text);
    const large: LargeText = {
      sha256,
      bytes,
      preview: { first: text.slice(0, 100), last: text.slice(-100) },
    };
    return large;
  }
}
