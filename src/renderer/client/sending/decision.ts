import type { CoreProcedureName } from '@contract/ipc';

/** A decision of the operator in this window. It is sent when the undo period ends. */
export interface Decision {
  /** The item of the attention list that is decided. */
  readonly key: string;
  /** The chosen option, as on its button. */
  readonly word: string;
  /** The title of the decided item. */
  readonly title: string;
  /** The address that shows the item again. */
  readonly place: string;
  /** The call that carries it out. */
  readonly sends: { readonly procedure: CoreProcedureName; readonly input: unknown };
  /** The decision was carried out (`taken`), or not accepted. */
  readonly ended?: (taken: boolean) => void;
}

/** Where decisions wait while they can be undone. */
export interface DecisionCore {
  /** False if the core cannot hold it: it is then sent from here. */
  hold(decision: Decision, undoMs: number): Promise<boolean>;
  undo(key: string): Promise<void>;
  /** False if it was not accepted. */
  send(decision: Decision, isHeld: boolean): Promise<boolean>;
}
