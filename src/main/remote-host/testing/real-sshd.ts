import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from './ssh-server';

/** The system's own server, where it is installed. */
export const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((path) => existsSync(path)) ?? null;

export const loginName = (): string => userInfo().username;

interface SshdWish {
  /** Has the keys `hostkey` and `id.pub`, and gets the configuration. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts it on a free port of this machine, for the current user with the key `id`. */
export async function startRealSshd({ root, env }: SshdWish): Promise<RunningServer> {
  if (SSHD === null) throw new Error('sshd is not installed');
  // Its own folder for privilege separation, which the system's service makes.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(root, 'hostkey')}`,
    `PidFile ${join(root, 'sshd.pid')}`,
    `AuthorizedKeysFile ${join(root, 'id.pub')}`,
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'PermitRootLogin yes',
    `SetEnv ${Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
  ];
  writeFileSync(join(root, 'sshd_config'), `${settings.join('\n')}\n`);
  const child = spawn(SSHD, ['-D', '-f', join(root, 'sshd_config'), '-E', join(root, 'sshd.log')], {
    stdio: 'ignore',
  });
  const log = () => (existsSync(join(root, 'sshd.log')) ? readFileSync(join(root, 'sshd.log'), 'utf8') : '');
  while (!log().includes('Server listening')) {
    if (child.exitCode !== null) throw new Error(`sshd ended: ${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    close: async () => {
      child.kill();
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('no port'));
      server.close(() => resolve(address.port));
    });
  });
}
