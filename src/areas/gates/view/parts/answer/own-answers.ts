const MOST_ANSWERS = 50;
const own = new Set<string>();

/** The gates last answered in this window, by their keys. */
export const ownAnswers = {
  add(gate: string): void {
    own.delete(gate);
    own.add(gate);
    for (const oldest of own) {
      if (own.size <= MOST_ANSWERS) return;
      own.delete(oldest);
    }
  },
  /** The answer was not accepted. */
  remove: (gate: string): void => void own.delete(gate),
  has: (gate: string): boolean => own.has(gate),
};
