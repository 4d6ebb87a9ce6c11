import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReply } from './reply';

const text = (value: string, call = 'FINAL') => ({ call, kind: 'text', value });
const variable = (value: string, call = 'FINAL') => ({ call, kind: 'variable', value });
const finalOf = (reply: string) => parseReply(reply).final;

describe('code in a reply', () => {
  test('every repl block of a reply is code, in order, and blocks of other languages are not', () => {
    const reply = 'First\n```repl\na = 1\n```\n```python\nb = 2\n```\n```repl\nprint(a)\n```\nDone';
    expect(parseReply(reply)).toEqual({ blocks: ['a = 1', 'print(a)'], cutOff: false, final: null });
  });

  test('an empty block runs nothing, and the prose after it is no code', () => {
    expect(parseReply('```repl\n```\nprose\n```repl\n\n```\nmore prose').blocks).toEqual([]);
  });

  test('CRLF leaves no carriage return in the code', () => {
    expect(parseReply('```repl\r\na = 1\r\nb = 2\r\n```\r\n').blocks).toEqual(['a = 1\nb = 2']);
  });

  test('a fence of four ticks holds code with three ticks in it', () => {
    const code = 'text = """\n```\ninner\n```\n"""';
    expect(parseReply(`\`\`\`\`repl\n${code}\n\`\`\`\``).blocks).toEqual([code]);
  });

  test('a block without its closing fence does not run and is reported as cut off', () => {
    expect(parseReply('```repl\na = 1')).toEqual({ blocks: [], cutOff: true, final: null });
  });

  test('tildes and up to three spaces before a fence count as well', () => {
    expect(parseReply('  ~~~repl\na = 1\n  ~~~').blocks).toEqual(['a = 1']);
  });
});

describe('the ending of a reply', () => {
  test.each([
    ['FINAL(42)', text('42')],
    ['  FINAL(a (b) c)', text('a (b) c')],
    ['FINAL(result)', variable('result')],
    ['FINAL(True)', text('True')],
    ['FINAL(False)', text('False')],
    ['FINAL(0)', text('0')],
    ['FINAL("")', text('')],
    ["FINAL('')", text('')],
    ['FINAL("""two\nlines""")', text('two\nlines')],
    ['FINAL("""a""" + """b""")', text('"""a""" + """b"""')],
    ['FINAL("open\\")', text('"open\\"')],
    ['FINAL(one)\r\n', variable('one')],
    ['FINAL("Paris")', text('Paris')],
    ["FINAL('it\\'s\\nhere')", text("it's\nhere")],
    ['FINAL("\\u00e9\\q")', text('é\\q')],
    ['FINAL("a" + "b")', text('"a" + "b"')],
    ['FINAL_VAR(result)', variable('result', 'FINAL_VAR')],
    ['FINAL_VAR("result")', variable('result', 'FINAL_VAR')],
    ['FINAL_VAR(two words)', text('two words', 'FINAL_VAR')],
    ['PARTIAL(half)', text('half', 'PARTIAL')],
    ['FINAL(The list:\n1) one\n2) two)', text('The list:\n1) one\n2) two')],
    ['FINAL(no closer\nat all', text('no closer\nat all')],
    ['FINAL(42) is my answer.', text('42')],
    ['FINAL(Paris)\n\nThis follows from document (3)', variable('Paris')],
  ])('the reply %j has the intended ending', (reply, expected) => {
    expect(finalOf(reply)).toEqual(expected);
  });

  test.each([
    'FINAL()',
    'The call FINAL(x) ends it',
    'final(x)',
    '```python\nFINAL(x)\n```',
    '```repl\nFINAL(x)\n```',
  ])('the reply %j has no ending', (reply) => {
    expect(finalOf(reply)).toBeNull();
  });

  test('the last of two endings of a reply counts, and they do not merge', () => {
    expect(finalOf('FINAL(one)\nNo, that is wrong.\nFINAL("two")')).toEqual(text('two'));
  });

  test('a fenced block may be part of an answer, and a marker in it is none', () => {
    const answer = 'Use this:\n```python\nFINAL(x)\n```\nDone.';
    expect(finalOf(`FINAL(${answer})`)).toEqual(text(answer));
  });
});

describe('replies of any form and size', () => {
  const pieces = fc.constantFrom(
    ...[
      '```repl',
      '```',
      '````repl',
      '````',
      '~~~',
      '```python',
      'FINAL(',
      'FINAL_VAR(x)',
      'PARTIAL("a")',
      ')',
    ],
    ...['\n', '\r\n', '\r', ' ', 'x = 1', '"', "'", '\\', '"""', 'text', '`'],
  );

  test('only text of the reply itself runs, and never an empty block', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const reply = parts.join('');
        const { blocks } = parseReply(reply);
        const plain = reply.replace(/\r\n?/g, '\n');
        return blocks.every((code) => code.trim() !== '' && plain.includes(`repl\n${code}\n`));
      }),
    );
  });

  test('a reply of megabytes is read in time that grows with its length', () => {
    // With quadratic time, each of them took minutes or exhausted the stack.
    const lines = 'FINAL()\n'.repeat(100_000);
    expect(finalOf(lines)).toBeNull();
    const words = 'x\n'.repeat(300_000);
    expect(finalOf(`FINAL("""${words}""")`)).toEqual(text(words));
    expect(parseReply('```a\n'.repeat(200_000)).blocks).toEqual([]);
  });
});
