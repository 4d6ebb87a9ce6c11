/**
 * Each request is followed by a read that began after it, one read at a time: fast changes do not keep a
 * result from being shown, and only one answer is pending at once.
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
