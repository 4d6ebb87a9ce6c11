import { expect, test } from 'vitest';
import { isExposed, outsideAddress } from './outside-address';

test.each([
  ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
  ['http://localhost:5173', 'http://localhost:5173/'],
  ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
  ['http://192.168.1.7:5173/', 'http://192.168.1.7:5173/'],
  ['HTTP://EXAMPLE.ORG', 'http://example.org/'],
  // It looks like another host, so it is shown in its ASCII form.
  ['https://ex\u0430mple.org/', 'https://xn--exmple-4nf.org/'],
  ['https://muster.example@evil.example/', null],
  ['http://a:b@localhost:5173/', null],
  ['file:///etc/passwd', null],
  ['javascript:alert(1)', null],
  ['vscode://file/x', null],
  ['ftp://example.org/', null],
  ['localhost:5173', null],
  ['', null],
])('the address %s is given to the browser as %s', (url, address) => {
  expect(outsideAddress(url)).toBe(address);
});

test.each([
  ['http://localhost:5173/', false],
  ['http://app.localhost/', false],
  ['http://127.8.9.1/', false],
  ['http://[::1]:3000/', false],
  ['https://example.org/', false],
  ['http://example.org/', true],
  ['http://localhost.example.org/', true],
  ['http://127.0.0.1.example.org/', true],
  ['http://192.168.1.7:5173/', true],
])('the traffic to %s can be read on the way: %s', (address, exposed) => {
  expect(isExposed(address)).toBe(exposed);
});
