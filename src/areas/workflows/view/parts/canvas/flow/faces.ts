import type { Word } from '@renderer/parts/words/status-words';

/** What a run shows on a step. */
export interface StepFace {
  readonly word: Word;
  /** Start of this state; null if nothing began. */
  readonly since: number | null;
  /** Its end; null while it continues. */
  readonly until: number | null;
  /** `Re-prompt 2/3`, `Iteration 4/10`, why the step was skipped, or null. */
  readonly note: string | null;
  readonly attempt: number;
  /** Tokens and cost. */
  readonly spend: string;
  /** The completed part of its chain of prompts. */
  readonly part: number | null;
  /** The gate that waits in the step. */
  readonly gate: number | null;
  /** The shown scope of its body, and all scopes there are. */
  readonly scopes: ScopeChoice | null;
}

export interface ScopeChoice {
  /** `Pass`, `Item`, or empty if there is only one. */
  readonly word: string;
  readonly shown: string;
  readonly all: readonly { readonly path: string; readonly label: string }[];
}

/** `crossed`: data or a signal passed last time. `missed`: its step ended without an output on this port. */
type CableState = 'plain' | 'open' | 'crossed' | 'active' | 'missed' | 'failed';

export interface CableFace {
  readonly state: CableState;
  /** How often the cable was crossed. */
  readonly times: number;
}

/** The problem of a step as it is in the file. */
export interface StepTrouble {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

/** The previous face if the new one is equal, so that the step is not drawn again. */
export function keptFace(before: StepFace | undefined, face: StepFace): StepFace {
  if (before === undefined) return face;
  const { word, scopes, ...rest } = face;
  const same =
    before.word.word === word.word &&
    before.word.tone === word.tone &&
    (Object.keys(rest) as (keyof typeof rest)[]).every((key) => before[key] === rest[key]) &&
    sameScopes(before.scopes, scopes);
  return same ? before : face;
}

function sameScopes(one: ScopeChoice | null, other: ScopeChoice | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.word !== other.word || one.shown !== other.shown || one.all.length !== other.all.length)
    return false;
  return one.all.every(({ path, label }, index) => {
    const beside = other.all[index];
    return path === beside?.path && label === beside.label;
  });
}
