import { expect, test } from 'vitest';
import { linksIn } from './links';

const links = (text: string) =>
  linksIn(text).map(({ at, link }) =>
    link.kind === 'address' ? `${at} ${link.url}` : `${at} ${link.path} ${link.line}`,
  );

test('addresses are links, without the end of the sentence', () => {
  expect(links('see https://example.org/a?b=c#d, or (http://localhost:3000/).')).toEqual([
    '4 https://example.org/a?b=c#d',
    '37 http://localhost:3000/',
  ]);
});

test('files are links, with their lines', () => {
  expect(links('src/a-b.ts:12:3 error; lib/c.ts(4,5): and ./d.sh /etc/hosts e.ts:7')).toEqual([
    ...['0 src/a-b.ts 12', '23 lib/c.ts 4', '42 ./d.sh null', '49 /etc/hosts null', '60 e.ts 7'],
  ]);
});

test('words, times, versions and halves of addresses are no links', () => {
  expect(links('at 12:30:00 and/or 1.2.3 node.js a.b https://x.org/a/b.ts:3 // comment')).toEqual([
    '37 https://x.org/a/b.ts:3',
  ]);
});
