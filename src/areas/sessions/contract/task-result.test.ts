import { describe, expect, test } from 'vitest';
import { type TaskResultPart, taskResultParts, withoutBegunTag } from './task-result';

const text = (words: string): TaskResultPart => ({ kind: 'text', text: words });
const result = (words: string, claim: 'none' | 'completed' = 'none'): TaskResultPart => ({
  kind: 'result',
  claim,
  text: words,
});

describe('what an agent wrote, split at its <task-result> tags', () => {
  test.each<[string, TaskResultPart[]]>([
    ['no tags at all', [text('no tags at all')]],
    ['  kept  ', [text('kept')]],
    ['', []],
    ['<task-result># Draft</task-result>', [result('# Draft')]],
    ['<task-result>- one\n- two\n</task-result>', [result('- one\n- two')]],
    [
      'Here:\n\n<task-result status="completed">\n**Done**\n</task-result>\nBye.',
      [text('Here:'), result('**Done**', 'completed'), text('Bye.')],
    ],
    ['<TASK-RESULT Status=Completed>x</TASK-RESULT>', [result('x', 'completed')]],
    [
      '<task-result status="splendid">x</task-result>',
      [{ ...result('x'), unknown: 'splendid' } as TaskResultPart],
    ],
    [
      '<task-result>a</task-result> then <task-result>b</task-result>',
      [result('a'), text('then'), result('b')],
    ],
    // The text is still streaming, or the model left the end tag out.
    ['words <task-result>half of', [text('words'), result('half of')]],
    ['an end alone</task-result>', [text('an end alone')]],
    // A second start tag ends the first, so that earlier text stays readable.
    ['<task-result>a<task-result>b</task-result>', [result('a'), result('b')]],
    // Text quoted as code is no tag.
    ['write `<task-result>` at the end', [text('write `<task-result>` at the end')]],
    [
      '```xml\n<task-result>\n</task-result>\n```\n<task-result>x</task-result>',
      [text('```xml\n<task-result>\n</task-result>\n```'), result('x')],
    ],
    ['~~~\n<task-result>never closed', [text('~~~\n<task-result>never closed')]],
    ['<task-result>```\ncode\n```</task-result> end', [result('```\ncode\n```'), text('end')]],
    ['<task-results>other</task-results>', [text('<task-results>other</task-results>')]],
    ['<script>alert(1)</script>', [text('<script>alert(1)</script>')]],
  ])('the written text %j is split at its <task-result> tags', (written, parts) => {
    expect(taskResultParts(written)).toEqual(parts);
  });
});

describe('a tag that has only begun, while the text streams', () => {
  test.each([
    ['words <', 'words '],
    ['words <task-re', 'words '],
    ['words </task-result', 'words '],
    ['words <task-result status="comp', 'words '],
    ['a < b', 'a < b'],
    ['words <div', 'words <div'],
    ['words', 'words'],
  ])('the streamed text %j is shown without a tag that has only begun', (streamed, shown) => {
    expect(withoutBegunTag(streamed)).toBe(shown);
  });
});
