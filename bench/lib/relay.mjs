import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { startElectron } from './electron.mjs';
import { quantile } from './statistics.mjs';

const MEASURE_MS = 2_500;
export const FRAME_MS = 16.7;

/**
 * The p99 in milliseconds of a message from a utility process through main to a page, without any processing.
 */
export async function bareRelay(folder) {
  const selector = 'p';
  const env = { BENCH_USER_DATA: join(folder, 'relay') };
  const electron = await startElectron([join(root, 'bench', 'electron', 'relay.cjs')], { selector, env });
  await electron.painted;
  await electron.ask('page', {
    code: 'window.ages = []; relay.onMessage(({ at }) => ages.push(performance.timeOrigin + performance.now() - at)); 0',
  });
  await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
  const ages = await electron.ask('page', { code: 'ages.splice(0)' });
  await electron.end();
  return quantile(ages, 0.99);
}
