import { Cli } from './fixtures/cli';
import { temporaryDataDir } from './fixtures/launch';
import { expect, test } from './fixtures/test';

test('the command line runs Python in the sandbox without a display, and says what confines it', async () => {
  const folder = await temporaryDataDir();
  const cli = new Cli(folder.path);
  try {
    const ran = await cli.run('rlm', 'check', '--allow-weak-sandbox', '--json');
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(JSON.parse(ran.out)).toMatchObject({
      python: expect.stringMatching(/^3\.\d+\.\d+/),
      osSandbox: expect.any(Boolean),
      detail: expect.any(String),
    });
    const refused = await cli.run('rlm', 'check', '--json');
    // As root the sandbox of the operating system cannot start.
    if (process.getuid?.() === 0) {
      expect(refused.code).toBe(7);
      expect(JSON.parse(refused.err || refused.out)).toMatchObject({
        error: { code: 'unavailable', mend: expect.stringContaining('--allow-weak-sandbox') },
      });
    }
  } finally {
    await cli.end();
    await folder.remove();
  }
});
