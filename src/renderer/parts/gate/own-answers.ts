const MOST_ANSWERS = 50;
const own = new Set<string>();

/** Gates that are being answered, or were, in this window: by their keys, the last ones. */
export const ownAnswers = {
  add(gate: string): void {
    own.delete(gate);
    own.add(gate);
    for (const oldest of own) {
      if (own.size <= MOST_ANSWERS) return;
      own.delete(oldest);
    }
  },
  /** The answer was not taken. */
  remove: (gate: string): void => void own.delete(gate),
  has: (gate: string): boolean => own.has(gate),
};
