import type { CoreProcedureName } from '@contract/ipc';

/** What the operator has decided in this window. It is sent when the time to undo it is over. */
export interface Decision {
  /** The item of the attention list that is decided. */
  readonly key: string;
  /** What was chosen, as its button says it. */
  readonly word: string;
  /** What it was chosen for. */
  readonly title: string;
  /** The address that shows the item again. */
  readonly place: string;
  /** The call that carries it out. */
  readonly sends: { readonly procedure: CoreProcedureName; readonly input: unknown };
  /** It was carried out, or not taken. */
  readonly ended?: (taken: boolean) => void;
}

/** Where decisions wait while they can be undone. */
export interface DecisionCore {
  /** False where it cannot be held there: it is then sent from here. */
  hold(decision: Decision, undoMs: number): Promise<boolean>;
  undo(key: string): Promise<void>;
  /** False where it was not taken. */
  send(decision: Decision, isHeld: boolean): Promise<boolean>;
}
