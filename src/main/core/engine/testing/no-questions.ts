import { fail } from '@contract/result';
import type { Completions } from '../../ports/completions';
import type { Sandboxes } from '../../ports/programs/sandbox';
import type { RunTexts } from '../../ports/run-texts';

const none = () => fail('unavailable', 'there is none in this test');

const sandboxes: Sandboxes = { start: async () => none(), stop: async () => undefined };

const completions: Completions = {
  complete: async () => ({ ok: false, text: 'there is none in this test', model: '', usage: null }),
};

const texts: RunTexts = {
  freeze: async () => none(),
  survey: async () => none(),
  put: async () => none(),
  read: async () => none(),
  async *pieces() {
    yield none();
  },
  find: async () => none(),
  hash: (text) => text,
  marker: () => '0'.repeat(32),
};

export interface QuestionPorts {
  sandboxes: Sandboxes;
  readonly completions: Completions;
  readonly texts: RunTexts;
}

/** For tests without questions over documents. */
export const NO_QUESTIONS: QuestionPorts = { sandboxes, completions, texts };
