import { Cell, type Readable } from '@renderer/client/store';

const drawn = new Cell<readonly string[]>([]);

/** The decisions, by their keys, that a card on this page shows with a way to undo them. */
export const undoCards = {
  keys: drawn as Readable<readonly string[]>,
  /** Gives the function that ends it. */
  add(key: string): () => void {
    drawn.update((keys) => [...keys, key]);
    return () => {
      drawn.update((keys) => keys.toSpliced(keys.indexOf(key), 1));
    };
  },
};
