import type { AgentProfile } from '@contract/catalog/profile';
import type { Usage } from '@contract/session/session';
import type { CallCancel } from './cancel';

export interface CompletionRequest {
  readonly profile: AgentProfile;
  /** Null: the profile's own. */
  readonly model: string | null;
  readonly prompt: string;
  readonly cancel: CallCancel;
}

export interface Completion {
  /** False: `text` says why there is no answer. */
  readonly ok: boolean;
  readonly text: string;
  readonly model: string;
  /** Of all tries; null where the model does not tell it. */
  readonly usage: Usage | null;
}

/** One prompt and one answer, outside of any session. What may pass within a minute is tried again. */
export interface Completions {
  /** Never rejects. Answers at once when it is cancelled. */
  complete(request: CompletionRequest): Promise<Completion>;
}
