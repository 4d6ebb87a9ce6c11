import type { Decision } from '@areas/evidence/contract/answer-tail';
import type { ReviewFinding } from '@areas/evidence/contract/findings';
import type { Json } from '@contract/ids';

export type Finding = ReviewFinding;

export interface ReadDecision {
  readonly decision: Decision;
  readonly findings: readonly Finding[];
}

/** Neither JSON nor a decision itself, so that a response that ends by quoting it decides nothing. */
export const decisionInstruction = [
  'End your answer with your decision in this form, and write nothing after it:',
  '',
  '```json',
  '{"decision": "approve" | "revise", "findings": [{"severity": "critical" | "high" | "medium" | "low", "text": "what is wrong, and where"}]}',
  '```',
  '',
  '"approve" lets the work go on. "revise" sends it back with your findings, so each of them must say what is to be changed. Leave the list empty where there is nothing to report.',
].join('\n');

export const decisionReminder = `No decision could be read from the end of your last answer. Do not review again; give the decision that you came to, and nothing else.\n\n${decisionInstruction}`;

/** Findings as a list for people. */
export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({ severity, text, ...more }) => {
      const facts = Object.entries(more).map(([key, value]) => `${key}: ${plain(value)}`);
      const beside = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
      return `- ${severity === null ? '' : `[${severity}] `}${text.replace(/\n/g, '\n  ')}${beside}`;
    })
    .join('\n');
}

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
