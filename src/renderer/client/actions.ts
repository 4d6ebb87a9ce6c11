import { ownValue } from '@contract/own';
import { KEY_SEQUENCE_MS } from '../limits';
import { keyCaps, parseKeys, progress } from './keys/keys';
import { Cell } from './store';

/** An action. Palette, keys, tooltips and menus are all built from these specs. */
export interface ActionSpec {
  readonly title: string;
  /** Default keys; alternatives are separated by commas. */
  readonly keys?: string;
  /** Its group in the palette and in the overview of keys. */
  readonly group: string;
  /** Other words by which the palette finds it. */
  readonly words?: string;
  /** Navigation and the like: in the overview of keys, not in the palette. */
  readonly quiet?: boolean;
  /** Works while the focus is in a text field. */
  readonly inText?: boolean;
  /**
   * Repeats while its key is held. All other actions run once per press, so that no one decides on something
   * unseen.
   */
  readonly repeats?: boolean;
}
/**
 * The ids of all actions. Each view adds its own where it declares them, so that a misspelt or removed id
 * does not compile where it is used.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the views fill it in
export interface ActionNames {}
export type ActionId = keyof ActionNames | `go.${string}` | `begin.${string}` | `sample.${string}`;
export type ActionSpecs = Readonly<Record<string, ActionSpec>>;
/** Null: the action is not available now. */
export type Handlers<Id extends string = string> = Readonly<Partial<Record<Id, (() => void) | null>>>;

export interface Action extends ActionSpec {
  readonly id: string;
  readonly run: () => void;
}

interface Layer {
  handlers: Handlers;
  within: (() => boolean) | null;
  rank: 'page' | 'focused';
}

/** All action specs, the available handlers, and the key bindings of the operator. */
export class ActionRegistry {
  readonly #specs = new Map<string, ActionSpec>();
  readonly #layers: Layer[] = [];
  readonly #mac: boolean;
  /** Incremented when an action becomes available or unavailable. */
  readonly version = new Cell(0);
  #keys: Readonly<Record<string, string>> = {};
  #presses: KeyboardEvent[] = [];
  #walks = false;

  constructor(mac: boolean) {
    this.#mac = mac;
  }

  declare(specs: ActionSpecs): void {
    for (const [id, spec] of Object.entries(specs)) this.#specs.set(id, spec);
  }

  setKeys(keys: Readonly<Record<string, string>>): void {
    this.#keys = keys;
    this.touch();
  }

  /**
   * Adds the handlers of a view; the last one added is asked first, and those of the part that has the focus before
   * all others. `within`: only while it returns true.
   */
  add(
    handlers: Handlers,
    within: (() => boolean) | null = null,
    rank: Layer['rank'] = 'page',
  ): Layer & { remove: () => void } {
    const layer = {
      handlers,
      within,
      rank,
      remove: () => {
        this.#layers.splice(this.#layers.indexOf(layer), 1);
        this.touch();
      },
    };
    this.#layers.push(layer);
    this.touch();
    return layer;
  }

  touch(): void {
    this.version.update((version) => version + 1);
  }

  specs(): [string, ActionSpec][] {
    return [...this.#specs];
  }

  keysOf(id: string): string {
    return ownValue(this.#keys, id) ?? this.#specs.get(id)?.keys ?? '';
  }

  /** The key caps of the first alternative, for a tooltip or a button. */
  capsOf(id: string): string[] {
    return keyCaps(this.keysOf(id).split(', ')[0] ?? '', this.#mac);
  }

  /** The available actions, the innermost view first, each id once. */
  available(): Action[] {
    const found = new Map<string, Action>();
    const last = [...this.#layers].reverse();
    const isFocused = ({ rank }: Layer) => rank === 'focused';
    for (const layer of [...last.filter(isFocused), ...last.filter((layer) => !isFocused(layer))]) {
      if (layer.within?.() === false) continue;
      for (const [id, run] of Object.entries(layer.handlers)) {
        const spec = this.#specs.get(id);
        if (run && spec && !found.has(id)) found.set(id, { ...spec, id, run });
      }
    }
    return [...found.values()];
  }

  run(id: string): void {
    this.available()
      .find((action) => action.id === id)
      ?.run();
  }

  /** Ids of other actions with conflicting keys. */
  conflicts(id: string, keys: string): string[] {
    const wanted = JSON.stringify(parseKeys(keys));
    const group = this.#specs.get(id)?.group;
    return this.specs()
      .filter(([other, spec]) => other !== id && (spec.group === group || spec.group === 'Everywhere'))
      .filter(([other]) => alternatives(this.keysOf(other)).some((keys) => JSON.stringify(keys) === wanted))
      .map(([other]) => other);
  }

  /** Whether any view on screen can run the action, wherever the focus is. */
  isHandled(id: string): boolean {
    return this.#layers.some(({ handlers }) => ownValue(handlers, id) != null);
  }

  /** The last press moved through a list or a canvas: what is passed must not take the next press for itself. */
  get walks(): boolean {
    return this.#walks;
  }

  /** The operator uses the mouse. */
  stopWalking(): void {
    this.#walks = false;
  }

  /** True if the press was meant for an action, even as the first key of two. */
  press(event: KeyboardEvent): boolean {
    const typing = isTyping(innermost(event));
    const recent = this.#presses.filter((press) => event.timeStamp - press.timeStamp < KEY_SEQUENCE_MS);
    const tries = typing || recent.length === 0 ? [[event]] : [[...recent, event], [event]];
    this.#presses = [];
    this.#walks = false;
    const actions = this.available().filter((action) => !typing || action.inText === true);
    for (const presses of tries) {
      const fits = actions.map((action) => ({ action, state: this.#progress(action.id, presses) }));
      const pressed = fits.find((fit) => fit.state === 'whole');
      if (pressed) {
        this.#walks = pressed.action.repeats === true;
        if (!event.repeat || this.#walks) pressed.action.run();
        return true;
      }
      if (!typing && fits.some((fit) => fit.state === 'part')) {
        this.#presses = presses;
        return true;
      }
    }
    return false;
  }

  /** Whether this press alone triggers the action, for views that take all keys. */
  isWhole(id: string, event: KeyboardEvent): boolean {
    return this.#progress(id, [event]) === 'whole';
  }

  #progress(id: string, presses: readonly KeyboardEvent[]): 'none' | 'part' | 'whole' {
    const states = alternatives(this.keysOf(id)).map((keys) => progress(keys, presses, this.#mac));
    return states.includes('whole') ? 'whole' : states.includes('part') ? 'part' : 'none';
  }
}

const alternatives = (keys: string) =>
  keys
    .split(', ')
    .map(parseKeys)
    .filter((sequence) => sequence !== null);

/** The element that an event comes from, even inside a shadow tree. */
export const innermost = (event: Event): EventTarget | null => event.composedPath?.()[0] ?? event.target;

/** Single letters are text while the focus is in a text field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return (
    target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type)
  );
}
