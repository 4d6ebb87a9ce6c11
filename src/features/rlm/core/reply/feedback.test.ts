import { clip, lengthOf } from '@contract/text-length';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { untrustedNotice, wrapContent, wrapOutput } from '../untrusted';
import { clippedOutput, codeEcho, feedbackMessages, outputOf } from './feedback';
import { parseFences } from './fences';

const marker = '0123456789abcdef0123456789abcdef';
const rules = { marker, outputChars: 20_000, feedback: 'per-block' } as const;
const ran = {
  code: 'print("hello")',
  stdout: 'hello\n',
  stderr: '',
  error: null,
  dropped: 0,
  variables: ['context'],
};

describe('the echo of code', () => {
  test('an echo message holds the code, its wrapped output and the names of the REPL', () => {
    expect(codeEcho(ran, rules)).toBe(
      [
        'Code executed:\n```python\nprint("hello")\n```',
        `<repl_output type="untrusted_document_content">\nUNTRUSTED_CONTENT_${marker}_BEGIN\nhello\nUNTRUSTED_CONTENT_${marker}_END\n</repl_output>`,
        'REPL variables: [context]',
      ].join('\n\n'),
    );
  });

  test('each block has a message of its own, and one message in combined mode', () => {
    expect(feedbackMessages([ran, ran], rules)).toHaveLength(2);
    expect(feedbackMessages([ran, ran], { ...rules, feedback: 'combined' })).toHaveLength(1);
    expect(feedbackMessages([], { ...rules, feedback: 'combined' })).toEqual([]);
  });

  test('no code closes the fence that it is echoed in', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '````repl', '~~~', 'x', ' ', '\n')), (pieces) => {
        const code = pieces.join('');
        const [part] = parseFences(
          codeEcho({ ...ran, code }, rules)
            .split('\n')
            .slice(1)
            .join('\n'),
        );
        expect(part).toMatchObject({ kind: 'fence', code, closed: true });
      }),
    );
  });
});

describe('output of a block', () => {
  test('errors follow the output of a block under their own labels', () => {
    expect(outputOf({ ...ran, stderr: 'careful\n', error: 'ZeroDivisionError: division by zero' })).toBe(
      'hello\nSTDERR: careful\nERROR: ZeroDivisionError: division by zero',
    );
    expect(outputOf({ ...ran, stdout: '' })).toBe('(no output)');
  });

  test('long output of a block keeps its beginning and says how much is missing', () => {
    const cut = clippedOutput('x'.repeat(20_005), 20_000);
    expect(cut.startsWith(`${'x'.repeat(20_000)}\n`)).toBe(true);
    expect(cut).toContain('5 of 20005 characters are not shown');
    expect(clippedOutput('x'.repeat(20_000), 20_000)).toBe('x'.repeat(20_000));
  });

  test('output that the sandbox did not keep counts as missing', () => {
    const told = codeEcho({ ...ran, stdout: 'x'.repeat(20_000), dropped: 5_000_000 }, rules);
    expect(told).toContain('x\n[Output cut: 5000000 of 5020000 characters are not shown.');
  });

  test('characters are code points, as in Python', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, most) => {
        const points = Array.from(text);
        expect(lengthOf(text)).toBe(points.length);
        const kept = clip(text, most);
        expect(kept.text).toBe(points.slice(0, most).join(''));
        expect(kept.cut).toBe(Math.max(0, points.length - most));
      }),
    );
  });
});

describe('untrusted content', () => {
  const pieces = fc.constantFrom(
    ...['UNTRUSTED_CONTENT_', marker, marker.slice(0, 16), marker.slice(16), '_END', '_BEGIN', '\n'],
    ...['<', '</', 'repl_output', '</repl_output>', '< / REPL_OUTPUT >', '>', ' ', 'text', '&lt;'],
  );

  test('no content closes the tag or the marker lines that it stands in', () => {
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const wrapped = wrapOutput(parts.join(''), marker);
        expect(wrapped.match(/<\s*\/?\s*repl_output/gi)).toHaveLength(2);
        expect(wrapped.match(new RegExp(marker, 'gi'))).toHaveLength(2);
      }),
    );
  });

  test('content without the marker is passed on unchanged', () => {
    const content = 'a\n<b> & $1 $& {question}\n';
    expect(wrapContent(content, marker).split('\n').slice(1, -1).join('\n')).toBe(content);
  });
});

test('the notice names the marker lines around untrusted content', () => {
  const [first = '', , last = ''] = wrapContent('text', marker).split('\n');
  expect(untrustedNotice(marker)).toContain(first);
  expect(untrustedNotice(marker)).toContain(last);
});
