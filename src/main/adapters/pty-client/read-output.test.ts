import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readOutput } from './read-output';

const folder = mkdtempSync(join(tmpdir(), 'muster-read-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

async function read(path: string, end: number, errors: readonly (readonly [number, number])[]) {
  const [output, apart]: [string[], string[]] = [[], []];
  const missing = await readOutput(
    path,
    { end, errors },
    {
      output: (bytes) => void output.push(Buffer.from(bytes).toString('latin1')),
      errors: (bytes) => void apart.push(Buffer.from(bytes).toString('latin1')),
    },
  );
  return { output: output.join(''), errors: apart.join(''), missing };
}

test('an output in any number of files, of any mixture, comes back as two streams', async () => {
  const piece = fc.tuple(fc.boolean(), fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 20 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 20 }),
      fc.integer({ min: 1, max: 60 }),
      async (pieces, size) => {
        count += 1;
        const path = join(folder, `${count}.log`);
        const errors: [number, number][] = [];
        let whole = '';
        for (const [isError, text] of pieces) {
          if (isError) errors.push([whole.length, text.length]);
          whole += text;
        }
        writeFileSync(path, whole.slice(0, size), 'latin1');
        for (let at = size; at < whole.length; at += size)
          writeFileSync(`${path}.${at}`, whole.slice(at, at + size), 'latin1');
        const of = (wanted: boolean) =>
          pieces.flatMap(([isError, text]) => (isError === wanted ? text : [])).join('');
        expect(await read(path, whole.length, errors)).toEqual({
          output: of(false),
          errors: of(true),
          missing: 0,
        });
      },
    ),
    { numRuns: 60 },
  );
});

test('the number of bytes that were dropped is told', async () => {
  const path = join(folder, 'dropped.log');
  writeFileSync(path, 'gone');
  truncateSync(path, 0);
  writeFileSync(`${path}.4`, 'kept');
  expect(await read(path, 8, [[5, 2]])).toEqual({ output: 'kt', errors: 'ep', missing: 4 });
});
