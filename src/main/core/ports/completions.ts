import type { AgentProfile } from '@areas/agents/contract/profile';
import type { Usage } from '@areas/sessions/contract/session';
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
  /** Total of all tries; null if the model does not report it. */
  readonly usage: Usage | null;
}

/** One prompt and one answer, outside of any session. Temporary failures are retried within a minute. */
export interface Completions {
  /** Never rejects. Resolves at once when cancelled. */
  complete(request: CompletionRequest): Promise<Completion>;
}
