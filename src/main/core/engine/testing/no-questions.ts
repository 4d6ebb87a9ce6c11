import { appError } from '@contract/errors';
import { err } from '@contract/result';
import type { Completions } from '../../ports/completions';
import type { RunTexts } from '../../ports/run-texts';
import type { Sandboxes } from '../../ports/sandbox';

const none = () => err(appError('unavailable', 'there is none in this test'));

/** For tests without questions over documents. */
export const NO_SANDBOXES: Sandboxes = { start: async () => none(), stop: async () => undefined };

export const NO_COMPLETIONS: Completions = {
  complete: async () => ({ ok: false, text: 'there is none in this test', model: '', usage: null }),
};

export const NO_TEXTS: RunTexts = {
  freeze: async () => none(),
  put: async () => none(),
  read: async () => none(),
  hash: (text) => text,
  marker: () => '0'.repeat(32),
};
