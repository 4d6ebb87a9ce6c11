export type Work = () => unknown;

async function timed(work: Work): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Both in turn; the first rounds, in which V8 compiles, do not count. */
export async function inTurn(
  rounds: number,
  ours: Work,
  limit: Work,
): Promise<{ ours: number[]; limit: number[] }> {
  const times = { ours: [] as number[], limit: [] as number[] };
  const warmUp = Math.ceil(rounds / 3);
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const pair = { ours: await timed(ours), limit: await timed(limit) };
    if (round < warmUp) continue;
    times.ours.push(pair.ours);
    times.limit.push(pair.limit);
  }
  return times;
}
