import type { Json } from '@contract/ids';
import type { Icon } from '../ui/icon';

/** How the window draws a step type. */
export interface StepMark {
  readonly icon?: Icon;
  /** What one of its scopes is called: a pass, a variant. Those with an item are items. */
  readonly scopeNoun?: string;
  /** The name that its author gave to the scope of a number, from the step's configuration. */
  readonly scopeName?: (config: Json | undefined, index: number) => string | null;
}

/** How the window draws a kind of gate. */
export interface GateMark {
  readonly icon: Icon;
  readonly word: string;
}
