/** What a step sets timers for. Each kind needs its words below, because a purpose is shown to the operator. */
const kinds = {
  limit: {
    pattern: /^limit:\d+$/,
    words: () => "the provider's limit ends and the turn is sent again",
  },
  idle: {
    pattern: /^idle (\S+) (\d+)$/,
    words: (name: string, round: string) => `${name} is parked unless round ${round} is answered`,
  },
  before: {
    pattern: /^before idle (\S+) (\d+)$/,
    words: (name: string, round: string) =>
      `a reminder says that round ${round} of ${name} waits for an answer`,
  },
  stall: {
    pattern: /^stall (\S+) \d+ \d+$/,
    words: (name: string) => `Muster checks whether ${titleOf(name)} still shows a sign of life`,
  },
  round: {
    pattern: /^round (\S+) (\d+)(?: after turn \d+)?$/,
    words: (name: string, round: string) =>
      `you are told if ${titleOf(name)} is still working on ${name === 'lead' ? 'its turn' : `round ${round}`}`,
  },
  rest: {
    pattern: /^rest \d+$/,
    words: () => 'you are asked whether the team should end, if nothing happens before',
  },
  time: {
    pattern: /^time limit \d+ \d+$/,
    words: () => "the loop's time limit ends and you are asked whether it goes on",
  },
  attempt: {
    pattern: /^attempt \d+(?: after turn \d+)?(?: after gate \d+)?$/,
    words: () => 'the attempt is stopped if it is still running',
  },
} as const;

/** The key of a timer within its activation. A new kind does not compile before it has words. */
export type TimerPurpose = `${keyof typeof kinds}${' ' | ':'}${string}`;

const titleOf = (name: string): string => (name === 'lead' ? 'the lead' : name);

interface Kind {
  readonly pattern: RegExp;
  readonly words: (name: string, round: string) => string;
}

/** What happens when a timer with this purpose fires, as a clause without a time. */
export function timerWords(purpose: string): string {
  for (const { pattern, words } of Object.values<Kind>(kinds)) {
    const match = pattern.exec(purpose);
    if (match !== null) return words(match[1] ?? '', match[2] ?? '');
  }
  return 'Muster looks at the step again';
}
