import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mayTouch } from './confine';

let top = '';
let root = '';
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'muster-confine-')));
  root = join(top, 'session');
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  mkdirSync(join(top, 'session-not'));
  mkdirSync(join(top, 'outside'));
  writeFileSync(join(top, 'outside', 'secret'), '');
  writeFileSync(join(root, '.git'), 'gitdir: elsewhere\n');
  symlinkSync(join(top, 'outside'), join(root, 'out'));
  symlinkSync('..', join(root, 'src', 'up'));
  symlinkSync(join(top, 'outside', 'new'), join(root, 'src', 'to-nothing'));
  symlinkSync('.git', join(root, 'pointer'));
  symlinkSync(root, join(top, 'alias'));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const part = fc.constantFrom(
  ...['src', 'deep', 'out', 'up', 'to-nothing', 'pointer', 'secret', 'new', 'a', '.', '..', '', 'session'],
  ...['session-not', 'alias', '.git', '.GIT', '.git.', '.Git ', 'git~1', '.gitignore', 'SRC'],
);

/** How the kernel resolves a path, step by step, on a model of the folder. */
function leadsTo(path: string): string {
  const links: Readonly<Record<string, string>> = {
    [join(root, 'out')]: join(top, 'outside'),
    [join(root, 'src', 'up')]: root,
    [join(root, 'src', 'to-nothing')]: join(top, 'outside', 'new'),
    [join(root, 'pointer')]: join(root, '.git'),
    [join(top, 'alias')]: root,
  };
  let at = '/';
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    at = name === '..' ? join(at, '..') : join(at, name);
    at = links[at] ?? at;
  }
  return at;
}

test.skipIf(process.platform === 'win32')(
  'no path that leads out of the session, or to git, is ever allowed, however it is written',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }),
        fc.constantFrom('', '/', '//', '/.'),
        fc.constantFrom('session', 'alias'),
        async (parts, ending, base) => {
          const path = `${top}/${base}/${parts.join('/')}${ending}`;
          const written = await mayTouch(path, [root], 'write');
          const read = await mayTouch(path, [root], 'read');
          // Node resolves `..` after a missing part textually; the kernel fails.
          for (const verdict of [written, read])
            if ('real' in verdict) expect(`${verdict.real}/`.startsWith(`${root}/`), path).toBe(true);
          if ('real' in written)
            expect(written.real.slice(root.length)).not.toMatch(/\/(\.git|git~1)[. ]*(\/|$)/i);
          const end = leadsTo(path);
          if (!parts.includes('..') && !`${end}/`.startsWith(`${root}/`))
            expect([read, written], path).toEqual([{ refused: 'outside' }, { refused: 'outside' }]);
        },
      ),
      { numRuns: 400 },
    );
  },
);

test('the file by which a worktree finds its repository is read, and never written', async () => {
  for (const name of ['.git', '.GIT', 'src/../.git', 'src/up/.git', 'pointer', 'sub/.git/hooks/pre-commit'])
    expect(await mayTouch(join(root, '.').concat(`/${name}`), [root], 'write')).toEqual({ refused: 'git' });
  expect(await mayTouch(join(root, '.git'), [root], 'read')).toMatchObject({ real: join(root, '.git') });
  expect(await mayTouch(join(root, '.gitignore'), [root], 'write')).toMatchObject({ root });
  expect(await mayTouch('src/a', [root], 'write')).toEqual({ refused: 'relative' });
});
