import type { Word } from '../../parts/words';

/** What a run says on a step. */
export interface StepFace {
  readonly word: Word;
  /** From when on it is as the word says; null where nothing began. */
  readonly since: number | null;
  /** When it ended; null while it goes on. */
  readonly until: number | null;
  /** `Re-prompt 2/3`, `Iteration 4/10`, why it was skipped, or nothing. */
  readonly note: string | null;
  readonly attempt: number;
  /** Tokens and cost. */
  readonly spend: string;
  /** How much of its chain of prompts is done. */
  readonly part: number | null;
  /** The gate that waits in it. */
  readonly gate: number | null;
  /** The scope of its body that is shown, and those there are. */
  readonly scopes: ScopeChoice | null;
}

export interface ScopeChoice {
  /** `Pass`, `Item` or nothing, where there is one only. */
  readonly word: string;
  readonly shown: string;
  readonly all: readonly { readonly path: string; readonly label: string }[];
}

/** `crossed`: something came over it last time. `missed`: its step ended and gave nothing there. */
export type CableState = 'plain' | 'open' | 'crossed' | 'active' | 'missed' | 'failed';

export interface CableFace {
  readonly state: CableState;
  /** How often something crossed it. */
  readonly times: number;
}

/** What is wrong with a step as it stands in the file. */
export interface StepTrouble {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}
