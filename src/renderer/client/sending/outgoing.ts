/**
 * Sends texts one after the other, in the operator's order. `deliver` returns whether the text was accepted;
 * if not, `refused` gives it back. An exception counts as refused.
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

/** Puts a rejected text before what was written since. */
export const putBack =
  (text: string) =>
  (now: string): string =>
    now.trim() === '' ? text : `${text}\n${now}`;
