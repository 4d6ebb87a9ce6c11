/**
 * What the operator sends, one after the other, in the order in which they sent it. `deliver` says whether it was
 * taken; where it was not, `refused` gives it back. One that throws counts as refused.
 */
export function outgoing(): (deliver: () => Promise<boolean>, refused: () => void) => Promise<void> {
  let last = Promise.resolve();
  return (deliver, refused) => {
    last = last.then(deliver).then(
      (taken) => {
        if (!taken) refused();
      },
      (fault: unknown) => {
        refused();
        throw fault;
      },
    );
    const mine = last;
    last = last.catch(() => undefined);
    return mine;
  };
}

/** A text that was not taken, before what was written since. */
export const putBack =
  (text: string) =>
  (now: string): string =>
    now.trim() === '' ? text : `${text}\n${now}`;
