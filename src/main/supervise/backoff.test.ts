import { describe, expect, test } from 'vitest';
import { afterDeath, type Deaths, type NextStart, noDeaths } from './backoff';

function lives(...milliseconds: number[]): NextStart[] {
  let deaths: Deaths = noDeaths;
  return milliseconds.map((lived) => {
    const outcome = afterDeath(deaths, lived);
    deaths = outcome.deaths;
    return outcome.next;
  });
}
const restart = (delayMs: number): NextStart => ({ kind: 'restart', delayMs });

describe('the time until a restart', () => {
  test('the restart delay doubles from 250 ms, and the fifth quick death is the last', () => {
    expect(lives(0, 100, 9_999, 5, 5)).toEqual([
      restart(250),
      restart(500),
      restart(1000),
      restart(2000),
      { kind: 'give-up' },
    ]);
  });

  test('the restart delay stays at 10 s for lives that are neither quick nor healthy', () => {
    expect(lives(...Array<number>(9).fill(20_000)).slice(4)).toEqual([
      restart(4000),
      restart(8000),
      restart(10_000),
      restart(10_000),
      restart(10_000),
    ]);
  });

  test('the restart delay begins again after 60 s of health', () => {
    expect(lives(5, 5, 5, 5, 60_000, 5)).toEqual([
      restart(250),
      restart(500),
      restart(1000),
      restart(2000),
      restart(250),
      restart(500),
    ]);
  });

  test('a longer life between quick ones restarts only the count of quick ones', () => {
    expect(lives(5, 5, 5, 5, 20_000, 5, 5, 5, 5).at(-1)).toEqual(restart(10_000));
    expect(lives(5, 5, 5, 5, 20_000, 5, 5, 5, 5, 5).at(-1)).toEqual({ kind: 'give-up' });
  });
});
