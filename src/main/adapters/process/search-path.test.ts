import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SearchPath } from './search-path';
import { scratchFolder } from './testing/make';

const home = scratchFolder('path');

function program(folder: string, name: string, text = '#!/bin/sh\n'): string {
  mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, folder, name), text, { mode: 0o755 });
  return join(home, folder, name);
}

test('a short PATH is completed from the login shell and from the well-known folders', async () => {
  const fromShell = program('from-shell', 'agent-a');
  const local = program('.local/bin', 'agent-b');
  const nvm = program('.nvm/versions/node/v22.10.0/bin', 'agent-c');
  program('.nvm/versions/node/v9.0.0/bin', 'agent-c');
  writeFileSync(join(home, '.npmrc'), 'prefix=~/moved\n');
  const moved = program('moved/bin', 'agent-d');
  const shell = program(
    'shells',
    'shell',
    `#!/bin/sh\nPATH="${home}/from-shell:$PATH"; echo Welcome!; eval "$2"\n`,
  );
  const path = new SearchPath({
    environment: { PATH: '/usr/bin:/bin', SHELL: shell },
    home,
    askLoginShell: true,
  });
  expect(await path.find('agent-a')).toBe(fromShell);
  expect(await path.find('agent-b')).toBe(local);
  expect(await path.find('agent-c')).toBe(nvm);
  expect(await path.find('agent-d')).toBe(moved);
  expect(await path.find('agent-e')).toBeNull();
  expect(await path.find('./agent-b', { cwd: join(home, '.local/bin') })).toBe(local);
});

test('the search path needs no login shell that cannot be started', async () => {
  const path = new SearchPath({
    environment: { PATH: '/usr/bin:/bin', SHELL: '/no/such/shell' },
    home,
    askLoginShell: true,
  });
  expect(await path.find('sh')).toBe('/usr/bin/sh');
});

test('a login shell that takes too long is asked to end, so that its profile puts its locks away', async () => {
  const lock = join(home, 'lock');
  const shell = program(
    'shells',
    'slow',
    `#!/bin/bash\ntrap 'rm -f "${lock}"' EXIT\ntouch "${lock}"\nwhile :; do sleep 0.05; done\n`,
  );
  const environment = { PATH: '/usr/bin:/bin', SHELL: shell };
  const path = new SearchPath({ environment, home, askLoginShell: true, loginShellMs: 1000 });
  expect(await path.find('sh')).toBe('/usr/bin/sh');
  await expect.poll(() => existsSync(lock), { timeout: 120_000 }).toBe(false);
});
