export type Work = () => unknown;

async function timed(work: Work): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

interface Times {
  readonly ours: number[];
  readonly limit: number[];
}

/**
 * Measures both in turn; the first rounds, in which V8 compiles, do not count. With `tries` a round is the
 * best of that many of each: the disk and other programs can only add time.
 */
export async function inTurn(
  { rounds, tries = 1 }: { readonly rounds: number; readonly tries?: number },
  ours: Work,
  limit: Work,
): Promise<Times> {
  const times: Times = { ours: [], limit: [] };
  const warmUp = Math.ceil(rounds / 3);
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const best = { ours: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY };
    for (let attempt = 0; attempt < tries; attempt += 1) {
      // In a changing order: the garbage that one leaves must not always be collected during the other.
      const order = attempt % 2 === 0 ? (['ours', 'limit'] as const) : (['limit', 'ours'] as const);
      for (const side of order) {
        const taken = await timed(side === 'ours' ? ours : limit);
        best[side] = Math.min(best[side], taken);
      }
    }
    if (round < warmUp) continue;
    times.ours.push(best.ours);
    times.limit.push(best.limit);
  }
  return times;
}
