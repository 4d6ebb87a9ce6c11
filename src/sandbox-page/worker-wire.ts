import type { ExecResult, ReplSeed, ReplSettings, SubPrompt } from '@contract/sandbox/protocol';

/** Shared by page and worker: `interrupt` is 2 while Python is to stop, `data` carries answers in parts. */
export interface SharedParts {
  readonly interrupt: SharedArrayBuffer;
  readonly data: SharedArrayBuffer;
}

/** Indexes of a call's own control words, and the states of the first. */
export const CONTROL = { state: 0, length: 1, last: 2, words: 3 } as const;
export const STATE = { waiting: 0, filled: 1 } as const;

/** Page to worker. The shared parts come with the private port. */
export type ToWorker =
  | { readonly kind: 'start'; readonly settings: ReplSettings }
  | { readonly kind: 'fix'; readonly id: string; readonly seed: ReplSeed }
  | { readonly kind: 'exec'; readonly id: string; readonly code: string }
  | { readonly kind: 'read'; readonly id: string; readonly name: string }
  | {
      readonly kind: 'context';
      readonly id: string;
      readonly text: string;
      readonly begin: boolean;
      readonly last: boolean;
    };

/** Worker to page. `control` is made for each call, so a late answer cannot reach a later call. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly python: string }
  | {
      readonly kind: 'call';
      readonly exec: string;
      readonly prompts: readonly SubPrompt[];
      readonly control: SharedArrayBuffer;
    }
  | { readonly kind: 'more' }
  | { readonly kind: 'done'; readonly id: string; readonly result: ExecResult }
  | { readonly kind: 'read'; readonly id: string; readonly result: { readonly text: string | null } }
  | { readonly kind: 'taken'; readonly id: string; readonly error: string | null }
  | { readonly kind: 'fatal'; readonly message: string };
