import { fail } from '@contract/result';
import { describe, expect, test } from 'vitest';
import { citedIn, citesNothing } from './citations';
import { QuestionHarness } from './testing/question';

describe('what an answer cites', () => {
  test.each([
    ['See Doc 3 and document 1.', [1, 3]],
    ['Doc **12** says so', [12]],
    ['context[0] and `context[4]`', [0, 4]],
    ['The key is in **2**.', [2]],
    ['Document 9 of the treaty is in context[4], page **7**.', [4]],
    ['2**8** is 256, and ***5*** is not one', []],
    ['Doctor 7 wrote documents.', []],
    ['```python\nprint(context[3])\n```', []],
    [`Doc ${'9'.repeat(30)}`, []],
  ])('the answer %j names the documents %j', (answer, documents) => {
    expect(citedIn(answer).documents).toEqual(documents);
  });

  test('quotations have ten characters and more, in quotation marks or backticks', () => {
    const answer =
      'It says "the red key opens" and “the green door is” and `shut for good`, "short", `context[10]`.';
    expect(citedIn(answer).quotes).toEqual(['the red key opens', 'the green door is', 'shut for good']);
  });

  test('an answer without references and quotations has nothing to check', () => {
    expect(citesNothing(citedIn('The answer is 42.'))).toBe(true);
  });
});

describe('citations of a question', () => {
  const ended = (harness: QuestionHarness) => Object.values(harness.state().activations)[0];

  test('citations are checked against the documents before the answer goes out', async () => {
    const harness = new QuestionHarness([
      'FINAL("Doc 0: `text of a.txt`; Doc 7 has `never written there`.")',
    ]);
    await harness.ask();
    expect(ended(harness)).toMatchObject({
      outcome: 'succeeded',
      warnings: [
        'The answer cites documents that do not exist: 7.',
        'One quotation is in none of the documents.',
      ],
      outputs: {
        citations_out: {
          content: {
            checked: true,
            documents: [
              { index: 0, found: true, name: 'a.txt' },
              { index: 7, found: false, name: null },
            ],
            quotes: [
              { text: 'text of a.txt', document: 0, line: 1, name: 'a.txt', found: true },
              { text: 'never written there', document: null, line: null, name: null, found: false },
            ],
          },
        },
      },
    });
  });

  test('citations of an answer that cites nothing are reported as unchecked, not as right', async () => {
    const harness = new QuestionHarness(['FINAL("It is 42.")']);
    await harness.ask();
    expect(ended(harness)).toMatchObject({ warnings: [], receipt: { citations: { checked: false } } });
    expect(harness.events().some(({ type }) => type === 'rlm.citations-requested')).toBe(false);
  });

  test('a document that cannot be read leaves what the others say, and the rest unknown', async () => {
    const harness = new QuestionHarness([
      'FINAL("Doc 0: `text of a.txt`; Doc 1: `text of b.txt`; `never written there`.")',
    ]);
    const { find } = harness.texts;
    const lost = harness.texts.hash('text of b.txt');
    harness.texts.find = (folder, path, wanted) =>
      path.includes(lost)
        ? Promise.resolve(fail('not_found', 'the file is gone'))
        : find(folder, path, wanted);
    await harness.ask({ documents: ['a.txt', 'b.txt'] });
    expect(ended(harness)).toMatchObject({
      warnings: [
        'b.txt could not be searched for quotations: the file is gone',
        '2 quotations are in none of the documents that could be read.',
      ],
      receipt: {
        citations: {
          checked: true,
          unread: [{ index: 1, name: 'b.txt' }],
          quotes: [{ found: true, name: 'a.txt' }, { found: null }, { found: null }],
        },
      },
    });
  });

  test('citations that cannot be checked do not block the answer', async () => {
    const harness = new QuestionHarness(['FINAL("Doc 0: `text of a.txt`")']);
    harness.texts.find = () => Promise.reject(new Error('the disk is gone'));
    await harness.ask();
    expect(ended(harness)).toMatchObject({
      outcome: 'succeeded',
      warnings: [expect.stringContaining('could not be checked')],
    });
  });

  test('an answer that cites only documents that do not exist is not sent to the verifying model', async () => {
    const harness = new QuestionHarness(['FINAL("It is red, see Doc 7")']);
    await harness.ask({ verify_model: { acp_profile_id: 'sub' } });
    await harness.rested();
    expect(harness.completions.asked).toEqual([]);
    expect(ended(harness)?.warnings.join()).toContain('cites no document');
  });
});
