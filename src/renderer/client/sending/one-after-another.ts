/**
 * Each ask is followed by a reading that began after it, one at a time: where what is read changes faster than it can be
 * read, what was read is shown all the same, and no one is asked for more than one answer at once.
 */
export function oneAfterAnother(ask: () => Promise<void>): () => Promise<void> {
  let now: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    now = ask().finally(() => {
      now = null;
    });
    return now;
  };
  return () => {
    if (now === null) return begin();
    next ??= now.then(() => {
      next = null;
      return begin();
    });
    return next;
  };
}
