import { readTail } from '@areas/evidence/contract/answer-tail';
import { severities } from '@areas/evidence/contract/findings';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisionInstruction, decisionReminder, type Finding, findingsText } from './decision-tail';

/** The decision that a step reads at the end of a reviewer's response; null if there is none. */
function readDecision(response: string) {
  const tail = readTail(response);
  return tail === null || tail.decision === null
    ? null
    : { decision: tail.decision, findings: tail.findings };
}

const high: Finding = { severity: 'high', text: 'the lock is not freed' };
const json = JSON.stringify({ decision: 'revise', findings: [high] });
const revise = { decision: 'revise', findings: [high] };

describe('the forms of a decision', () => {
  test.each([
    ['a fenced block', `Looked at it.\n\n\`\`\`json\n${json}\n\`\`\``],
    ['a fence without a language, indented, with blanks after it', `x\n  \`\`\`\n  ${json}\n  \`\`\`  \n\n`],
    ['a fence of tildes', `x\n~~~JSON\n${json}\n~~~`],
    ['Windows line ends', `x\r\n\`\`\`json\r\n${json}\r\n\`\`\`\r\n`],
    ['a bare object', `Looked at it.\n${json}\n`],
    ['a bare object over several lines', `x\n${JSON.stringify(JSON.parse(json), null, 2)}`],
    ['nothing but the object', json],
    [
      'keys and words in another case',
      'x\n{"Decision": "REVISE", "FINDINGS": [{"Severity": "High", "Text": "the lock is not freed"}]}',
    ],
    [
      'a findings list before the line',
      'Text.\n\nFindings:\n- [high] the lock is not freed\n\nDecision: revise',
    ],
    ['a findings list after the line', 'Decision: revise\n\nFindings:\n1. High: the lock is not freed'],
    ['Markdown marks', '## **Findings:**\n* **High** – the lock is not freed\n\n**Decision:** `Revise`.'],
    [
      'emphasis over the whole line',
      'FINDINGS:\n- **[HIGH]** the lock is not freed\n\n### ***decision: REVISE***',
    ],
    ['a synonym for the severity', 'Findings:\n- (major) the lock is not freed\nDecision: revise'],
  ])('a decision to revise is read from %s', (_, response) => {
    expect(readDecision(response)).toEqual(revise);
  });

  test.each([
    ['an empty list', 'ok\n{"decision":"approve","findings":[]}'],
    ['no list', 'ok\n{"decision": "approve"}'],
    ['a list that says none', 'Findings: none\nDecision: ✅ Approve'],
    ['a bullet that says none', 'Findings:\n- None.\n\nDecision: approve'],
    ['a line alone', 'Nothing to say.\nDecision: approve'],
    [
      'a block after an earlier one',
      `\`\`\`json\n${json}\n\`\`\`\nOn second thought:\n{"decision":"approve"}`,
    ],
    [
      'a list that belongs to other text',
      'Findings:\n- [high] an example\n\nThat was the form.\n\nDecision: approve',
    ],
  ])('a decision to approve is read with %s', (_, response) => {
    expect(readDecision(response)).toEqual({ decision: 'approve', findings: [] });
  });

  test.each([
    ['nothing', ''],
    ['a text', 'I would approve this.'],
    ['a sentence that quotes the form', 'You want me to end with {"decision": "approve"}'],
    ['text after the decision', 'Decision: approve\nLet me know if you need more.'],
    ['text after the block', `\`\`\`json\n${json}\n\`\`\`\nIs that all right?`],
    ['the instruction, quoted', `I am to write:\n\n${decisionInstruction}`],
    ['the end of its block', decisionInstruction.split('\n').slice(0, 5).join('\n')],
    ['both words', 'Decision: approve | revise'],
    ['a decision with a condition', 'Decision: approve if the lock is freed'],
    ['a negated decision', 'Decision: do not approve'],
    ['a block quote', '> Decision: approve'],
    ['a quoted block', '> ```json\n> {"decision": "approve"}\n> ```'],
    ['a code line', '    Decision: approve'],
    ['a fence in a larger fence', '````md\n```json\n{"decision": "approve"}\n```\n````'],
    ['an open fence', '```\nThe last line is then:\nDecision: approve'],
    ['a line in a fence', '```\nDecision: approve\n```'],
    ['a truncated object', '{"decision": "approve", "findings": ['],
    ['two decisions in one object', '{"decision": "approve", "Decision": "revise"}'],
    ['a list', '["approve"]'],
    ['another object', '{"verdict": "approve"}'],
    ['a decision that is no word', '{"decision": true}'],
  ])('a decision is not read from %s', (_, response) => {
    expect(readDecision(response)).toBeNull();
  });

  test('a decision keeps further fields of a finding, and takes strings and unknown severities', () => {
    const findings = [
      { severity: 'blocker', text: 'a', file: 'x.ts', line: 3 },
      { severity: 'purple', message: 'b' },
      '[low] c',
      'd',
      'low-level e',
      {},
      '',
      7,
    ];
    expect(readDecision(JSON.stringify({ decision: 'revise', findings }))?.findings).toEqual(
      [
        { severity: 'critical', text: 'a', file: 'x.ts', line: 3 },
        { severity: null, text: 'b', message: 'b' },
        { severity: 'low', text: 'c' },
        { severity: null, text: 'd' },
        { severity: null, text: 'low-level e' },
      ].map(({ message: _, ...finding }: Record<string, unknown>) => finding),
    );
    expect(
      findingsText([
        { severity: 'critical', text: 'a\nb', file: 'x.ts', line: 3 },
        { severity: null, text: 'd' },
      ]),
    ).toBe('- [critical] a\n  b (file: x.ts, line: 3)\n- d');
  });

  test('a decision with findings alone keeps them, and the response without its tail', () => {
    expect(readTail('Hm.\n\nFindings:\n- [high] the lock is not freed')).toEqual({
      decision: null,
      findings: [high],
      body: 'Hm.',
    });
    expect(readTail(`Hm.\n\n${json}`)?.body).toBe('Hm.');
    expect(readTail(`Hm.\n\n\`\`\`json\n${json}\n\`\`\``)?.body).toBe('Hm.');
    expect(readTail('Hm.\n\nDecision: revise\nFindings:\n- x')?.body).toBe('Hm.');
  });
});

const prose = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        decisionInstruction,
        decisionReminder,
        'Decision: approve',
        `\`\`\`json\n${json}\n\`\`\``,
        json,
        '{',
        '}',
        'Findings:',
        '- x',
        '> quoted',
      ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join('\n'));
const word = fc
  .stringMatching(/^[a-z][a-z ,]{0,30}[a-z]$/)
  .filter((text) => !/^(none|nothing|no findings)$/.test(text));
const finding = fc.record({ severity: fc.constantFrom(...severities), text: word });
const verdict = fc.record({
  decision: fc.constantFrom('approve' as const, 'revise' as const),
  findings: fc.array(finding, { maxLength: 4 }),
});

describe('the text before a decision', () => {
  test('a fenced block at the end counts', () => {
    fc.assert(
      fc.property(prose, verdict, fc.nat(3), (before, said, space) => {
        const tail = `\`\`\`json\n${JSON.stringify(said, null, space)}\n\`\`\``;
        expect(readDecision(`${before}\n${tail}\n`)).toEqual(said);
      }),
    );
  });

  test('a bare object at the end counts', () => {
    fc.assert(
      fc.property(prose, verdict, fc.nat(3), (before, said, space) => {
        expect(readDecision(`${before}\n${JSON.stringify(said, null, space)}`)).toEqual(said);
      }),
    );
  });

  test('a last line with its list counts, where no fence is open', () => {
    fc.assert(
      fc.property(fc.string(), verdict, (before, said) => {
        fc.pre(!/[`~]{3}/.test(before));
        const list = `Findings:\n${findingsText(said.findings)}`;
        expect(readDecision(`${before}\n\n${list}\n\nDecision: ${said.decision}`)).toEqual(said);
        expect(readDecision(`${before}\n\nDecision: ${said.decision}\n${list}`)).toEqual(said);
      }),
    );
  });
});

test('a sentence after the decision leaves no decision, whatever its text', () => {
  fc.assert(
    fc.property(prose, verdict, word, (before, said, after) => {
      const response = `${before}\n\`\`\`json\n${JSON.stringify(said)}\n\`\`\`\n\n${after}, and so on.`;
      expect(readDecision(response)).toBeNull();
    }),
  );
});

test('a response that is cut off anywhere gives the same decision or none', () => {
  fc.assert(
    fc.property(verdict, fc.nat(400), (said, cut) => {
      const whole = `Text.\n\`\`\`json\n${JSON.stringify(said, null, 2)}\n\`\`\``;
      const read = readDecision(whole.slice(0, Math.max(0, whole.length - cut)));
      expect([null, said.decision]).toContain(read?.decision ?? null);
    }),
  );
});

test('any text is read for a decision quickly, also one that is made to be slow', () => {
  fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), prose), (text) => void readTail(text)));
  const before = process.cpuUsage();
  for (const line of ['{"a":', '{', '- ', '```', 'Findings:', '[high]', '*'.repeat(50)]) {
    readTail(`${`${line}\n`.repeat(100_000)}}`);
    readTail(line.repeat(100_000));
    readTail(`Findings:\n- ${line.repeat(100_000)}\nDecision: revise`);
    readTail(`${' '.repeat(200_000)}x\n${`${line}\n`.repeat(10_000)}Decision: revise`);
  }
  // Quadratic time would take minutes. Measures the process's own CPU time, since wall time depends on the
  // machine's load.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(60_000);
});
