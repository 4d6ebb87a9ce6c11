import type { Word } from '../../parts/words';

/** What a run says on a step. */
export interface StepFace {
  readonly word: Word;
  /** From when on it is as the word says; null where nothing began. */
  readonly since: number | null;
  /** When it ended; null while it continues. */
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

/** What is wrong with a step as it is in the file. */
export interface StepTrouble {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

/** The face that was drawn before where it says the same, so that the step is not drawn again. */
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
