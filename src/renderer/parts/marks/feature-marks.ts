import type { Json } from '@contract/ids';
import type { Icon } from '../../ui/controls/icon';

/** How the window draws a step type. */
export interface StepMark {
  readonly icon?: Icon;
  /** The noun for one of its scopes: a pass, a variant. Scopes with an item are called items. */
  readonly scopeNoun?: string;
  /** The author's name for the scope of a number, from the step's configuration. */
  readonly scopeName?: (config: Json | undefined, index: number) => string | null;
}

/** How the window draws a kind of gate. */
export interface GateMark {
  readonly icon: Icon;
  readonly word: string;
}
