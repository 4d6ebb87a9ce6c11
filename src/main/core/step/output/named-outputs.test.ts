import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractNamedOutputs, labelKey } from './named-outputs';

const found = (response: string, labels: readonly string[]) => extractNamedOutputs(response, labels);

describe('marks in a label', () => {
  test('labels that differ in their number are told apart', () => {
    const labels = ['2024 Report', '2025 Report'];
    expect(found('## 2024 Report\nold\n\n**2025 Report:**\nnew', labels)).toEqual({
      sections: { '2024 Report': 'old', '2025 Report': 'new' },
      missing: [],
    });
    expect(found('1. Report\na\n2. Report\nb', ['1. Report', '2. Report']).sections).toEqual({
      '1. Report': 'a',
      '2. Report': 'b',
    });
  });

  test('the label C# is not taken for C', () => {
    expect(found('# C\nold\n# C#\nnew\n## `C++` ##\nother', ['C', 'C#', 'C++']).sections).toEqual({
      C: 'old',
      'C#': 'new',
      'C++': 'other',
    });
    expect(found('C#\nx', ['C']).missing).toEqual(['C']);
  });

  test('a line of marks, or an empty one, holds no label', () => {
    expect(found('a\n---\nb\n📄\nc\n\n***', ['📄', '---x', '']).missing).toEqual(['📄', '---x', '']);
    expect(labelKey('📄')).toBe('');
    expect(labelKey('1️⃣ 🇬🇧')).toBe('');
  });
});

describe('marks and emoji around a label are passed over', () => {
  test.each([
    ...['Summary', 'summary:', '## Summary', '##Summary', '### **Summary**', '**Summary:**', '__Summary__ :'],
    ...[
      '📄 Summary',
      '## 📄 Summary ##',
      '1. Summary',
      '2) **Summary**',
      '1️⃣ Summary',
      '- Summary',
      '* Summary',
    ],
    ...[
      '> Summary',
      '`Summary`',
      '"Summary"',
      '[Summary]',
      '“Summary”:',
      '  Summary  ',
      '— Summary —',
      '🇬🇧 Summary',
    ],
  ])('the line "%s" holds the label, with its marks passed over', (line) => {
    for (const label of ['Summary', '📄 Summary', '**Summary:**'])
      expect(found(`before\n${line}\ntext\nmore`, [label]).sections[label]).toBe('text\nmore');
  });

  test.each(['Summary of all', 'My summary', 'Summary 2', '12 Summary', 'Summaries', 'Summary.md'])(
    'the line "%s" holds another label',
    (line) => expect(found(`${line}\ntext`, ['Summary']).missing).toEqual(['Summary']),
  );
});

const label = fc.stringMatching(/^[#*\d_.:a-z 📄-]{1,12}$/u);
test('labels that are told apart find their own sections, whatever stands around them', () => {
  const around = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `## ${text}`,
    (text) => `**${text}**`,
    (text) => `${text}:`,
    (text) => `- **${text}:**`,
  );
  fc.assert(
    fc.property(fc.uniqueArray(label, { maxLength: 4, selector: labelKey }), around, (labels, put) => {
      fc.pre(labels.every((one) => labelKey(one) !== ''));
      const response = labels.map((one, at) => `${put(one)}\ntext ${at} of it.`).join('\n');
      fc.pre(labels.every((one) => !/^text \d of it\.$/.test(labelKey(one))));
      expect(found(response, labels)).toEqual({
        sections: Object.fromEntries(labels.map((one, at) => [one, `text ${at} of it.`])),
        missing: [],
      });
    }),
    { numRuns: 2000 },
  );
});

test('a response of marks alone takes no time', () => {
  const before = process.cpuUsage();
  expect(found('*_#>- `'.repeat(10).concat('\n').repeat(5_000), ['Summary']).missing).toEqual(['Summary']);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(30_000);
});
