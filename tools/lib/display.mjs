import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const needsVirtualDisplay = () =>
  process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;

/**
 * Starts a separate virtual X display; returns its environment and a function that ends it. Xvfb is started
 * directly instead of by xvfb-run: in its own session it survives Ctrl-C until Electron has closed, and it
 * always ends.
 */
export async function virtualDisplay() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-display-'));
  const authority = join(folder, 'authority');
  writeFileSync(authority, xauthority(), { mode: 0o600 });
  // Without -noreset Xvfb restarts when its last client leaves, and rejects the next one for a moment.
  const screen = '-screen 0 1920x1080x24 -nolisten tcp -noreset -displayfd 3'.split(' ');
  const server = spawn('Xvfb', [...screen, '-auth', authority], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const close = () => {
    server.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', close);
  const number = await new Promise((resolve, reject) => {
    let said = '';
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`Xvfb ended with ${code} before it was ready`)));
    // Xvfb writes the number and the line break separately, and exits if no one reads the second.
    server.stdio[3].on('data', (text) => {
      said += text;
      if (said.endsWith('\n')) resolve(said.trim());
    });
  });
  server.unref();
  server.stdio[3].destroy();
  return { env: { DISPLAY: `:${number}`, XAUTHORITY: authority }, close };
}

/**
 * One cookie for any display number that Xvfb picks: family 0xffff with an empty number is X's wildcard
 * entry.
 */
function xauthority() {
  const field = (bytes) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
  const empty = Buffer.alloc(0);
  return Buffer.concat([
    Buffer.from([0xff, 0xff]),
    field(empty),
    field(empty),
    field(Buffer.from('MIT-MAGIC-COOKIE-1')),
    field(randomBytes(16)),
  ]);
}
