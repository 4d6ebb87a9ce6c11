import { sep } from 'node:path';
import { describe, expect, test, vi } from 'vitest';

vi.mock('electron', () => ({ protocol: {} }));
const { fileFor } = await import('./app-protocol');

const folder = ['', 'app', 'out', 'renderer'].join(sep);
const inside = (...path: string[]) => [folder, ...path].join(sep);

describe('an address of the page', () => {
  test.each([
    ['app://muster/', inside('index.html')],
    ['app://muster/index.html?x=1#/run/7', inside('index.html')],
    ['app://muster/assets/a%20b.js', inside('assets', 'a b.js')],
    ['app://muster/assets/../index.html', inside('index.html')],
    ['app://muster/..%2findex.html', null],
    ['app://muster/../../etc/passwd', inside('etc', 'passwd')],
    ['app://muster/..%2f..%2f..%2fetc%2fpasswd', null],
    ['app://muster/%2e%2e/%2e%2e/etc/passwd', inside('etc', 'passwd')],
    ['app://muster/assets/..%2f..%2f..%2frenderer-evil/x', null],
    ['app://muster/a%5c..%5cb', null],
    ['app://muster/a%00.js', null],
    ['app://muster/%E0%A4%A', null],
    ['app://other/index.html', null],
    ['file:///etc/passwd', null],
    ['nonsense', null],
  ])('the address %s is served from %s', (url, file) => {
    expect(fileFor(url, folder)).toBe(file);
  });
});
