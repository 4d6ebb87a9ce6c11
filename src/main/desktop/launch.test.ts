import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argumentsFor, placeOf, programOf, readLaunch } from './launch';

const cwd = resolve('/work');
const read = (argv: string[], env: NodeJS.ProcessEnv = {}) =>
  readLaunch(['electron', '.', ...argv], env, cwd);

describe('start options', () => {
  test('a start without arguments takes the defaults', () => {
    expect(read(['--inspect=0', '--remote-debugging-port=0'])).toEqual({
      dataDir: null,
      dbPath: null,
      link: null,
      safeMode: false,
      emptyFlag: null,
    });
  });

  test('a start takes flags in both forms, before the environment, from its own folder', () => {
    expect(read(['--data-dir', 'd', '--db=x/y.db'], { MUSTER_DATA_DIR: '/e', MUSTER_DB: '/f' })).toEqual({
      dataDir: resolve(cwd, 'd'),
      dbPath: resolve(cwd, 'x/y.db'),
      link: null,
      safeMode: false,
      emptyFlag: null,
    });
    expect(read([], { MUSTER_DATA_DIR: resolve('/e'), MUSTER_DB: 'f' })).toEqual({
      dataDir: resolve('/e'),
      dbPath: resolve(cwd, 'f'),
      link: null,
      safeMode: false,
      emptyFlag: null,
    });
    expect(read(['--data-dir'], { MUSTER_DATA_DIR: '' }).dataDir).toBeNull();
  });

  test('a start names a flag without its value, so that no script works on the default data by mistake', () => {
    expect(read(['--data-dir', '', '--db=x.db']).emptyFlag).toBe('--data-dir');
    expect(read(['--data-dir', '/d', '--db= ']).emptyFlag).toBe('--db');
    expect(read(['--db']).emptyFlag).toBe('--db');
    expect(read(['--data-dir', '/d'], { MUSTER_DB: '' }).emptyFlag).toBeNull();
  });

  test('a start in safe mode is asked for with its flag', () => {
    expect(read(['--safe-mode']).safeMode).toBe(true);
  });

  test('a start finds the address that it was called with', () => {
    expect(read(['--x', 'muster://run/01ABC/turn/3']).link).toBe('muster://run/01ABC/turn/3');
  });
});

describe('an address', () => {
  test.each([
    ['muster://run/01ABC', '/run/01ABC'],
    ['MUSTER://run/7/turn/3?side=1', '/run/7/turn/3?side=1'],
    ['muster://inbox/', '/inbox'],
    ['muster://', null],
    ['muster://run/<script>', null],
    ['muster://run/7#x', null],
    ['https://run/7', null],
    [`muster://${'x'.repeat(3000)}`, null],
  ])('the address %s names %s', (link, place) => {
    expect(placeOf(link)).toBe(place);
  });
});

test('another start has the arguments of this one, and opens the address of now', () => {
  const args = ['.', '--data-dir', '/data', 'muster://inbox'];
  expect(argumentsFor(args, null)).toEqual(['.', '--data-dir', '/data']);
  expect(argumentsFor(args, '/run/7')).toEqual(['.', '--data-dir', '/data', 'muster://run/7']);
});

test('another start of an AppImage runs its own file, and not that of another program', () => {
  const env = { APPIMAGE: '/apps/Muster.AppImage', APPDIR: '/tmp/.mount_M' };
  expect(programOf('/tmp/.mount_M/muster', env)).toBe('/apps/Muster.AppImage');
  expect(programOf('/opt/Muster/muster', env)).toBe('/opt/Muster/muster');
  expect(programOf('/opt/Muster/muster', {})).toBe('/opt/Muster/muster');
});
