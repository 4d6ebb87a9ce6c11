/** Hosts from the command line, without a host: what is stored, and what ssh says. */
import { expect, test } from './fixtures/test';

test('hosts are added, listed and removed from the command line, and an unknown one is one clear error', async ({
  cli,
}) => {
  const muster = (...words: string[]) => cli.startIn({}, ...words).done;
  expect(await muster('hosts')).toMatchObject({ code: 0, out: expect.stringContaining('No hosts.') });
  expect(await muster('hosts', 'add', 'gpu1', '--ssh', 'nowhere.invalid')).toMatchObject({
    code: 0,
    out: expect.stringContaining('muster hosts test gpu1'),
  });
  expect(await muster('hosts', 'add', 'GPU1')).toMatchObject({
    code: 2,
    err: expect.stringContaining('already a host gpu1'),
  });
  expect(await muster('hosts', 'add', 'gpu2', '--ssh=-oProxyCommand=touch /tmp/x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('cannot begin with -'),
  });
  expect((await muster('hosts', 'list')).out).toMatch(/^gpu1 +nowhere\.invalid +not connected\s*$/);
  expect(await muster('hosts', 'test', 'gpu1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No host "nowhere.invalid" is found'),
  });
  expect(await muster('hosts', 'remove', 'gpu1')).toMatchObject({ code: 0 });
  expect(await muster('hosts', 'test', 'gpu1')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no host "gpu1"'),
  });
});
