import { median } from './statistics.mjs';

/**
 * Measures two sides in turn, `rounds` times, the order changing from round to round, so that what else the machine
 * does meets both alike. Gives the figures of each and the ratio of each round.
 */
export async function interleaved(rounds, { ours, limit }, ratioOf) {
  const figures = { ours: [], limit: [], ratio: [] };
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0 ? 'ours' : 'limit';
    const result = {};
    for (const side of first === 'ours' ? ['ours', 'limit'] : ['limit', 'ours']) {
      result[side] = await (side === 'ours' ? ours(round) : limit(round));
    }
    figures.ours.push(result.ours);
    figures.limit.push(result.limit);
    figures.ratio.push(ratioOf(result.ours, result.limit));
  }
  return { ...figures, middle: median(figures.ratio) };
}
