import { readTail } from './answer-tail';
import type { EvidencePiece } from './evidence';

/** An agent's answer as evidence for the operator; null if there is none. */
export const markdown = (text: string | null | undefined): EvidencePiece[] | null =>
  text ? [{ kind: 'markdown', text }] : null;

/** A reviewer's answer: its text, and the findings at its end as a separate list. */
export function responsePieces(response: string, title: string): EvidencePiece[] {
  const tail = readTail(response);
  if (tail === null || tail.findings.length === 0) {
    return response === '' ? [] : [{ kind: 'markdown', title, text: response }];
  }
  const findings = JSON.stringify(tail.findings, null, 2);
  return [
    ...(tail.body === '' ? [] : [{ kind: 'markdown' as const, title, text: tail.body }]),
    { kind: 'findings', title: 'Findings', text: findings },
  ];
}
