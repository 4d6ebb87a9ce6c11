import { expect, test } from 'vitest';
import { written } from './project-write';

const failing = (code: string) =>
  written('.muster/workflows/w.yaml', {
    mend: 'choose another name',
    work: () => Promise.reject(Object.assign(new Error(`${code}: open '/p/.x.tmp'`), { code })),
  });

test('a write that fails says why in plain words, names the file that is meant, and says what to do', async () => {
  const told = async (code: string) => {
    const { error } = (await failing(code)) as { error: { code: string; message: string; mend: string } };
    return [error.code, error.message, error.mend];
  };
  const full = 'Free some space, then try again.';
  expect(await told('ENOSPC')).toEqual([
    ...['store.disk_full', '.muster/workflows/w.yaml was not written: the disk is full.', full],
  ]);
  expect((await told('EDQUOT'))[0]).toBe('store.disk_full');
  for (const code of ['EROFS', 'EACCES', 'EPERM'])
    expect(await told(code)).toEqual([
      ...['project.not_writable', '.muster/workflows/w.yaml was not written: it or its folder is read-only.'],
      'Make the file and its folder writable, then try again.',
    ]);
  expect(await told('EEXIST')).toEqual([
    ...['conflict', '.muster/workflows/w.yaml already exists', 'choose another name'],
  ]);
  expect((await told('EIO'))[1]).toContain('EIO');
});
