import type { TimerWords } from '@contract/run/key-codec';

/** The durable keys of approvals; the number counts an activation's questions. */
export const approvalKeys = {
  'approval.ask': { parts: ['number'], stored: 'approval {0}' },
  'approval.reminder': { parts: ['number'], stored: 'approval reminder {0}' },
  'approval.expiry': { parts: ['number'], stored: 'approval expiry {0}' },
} as const;

export const approvalTimerWords: TimerWords<typeof approvalKeys, 'approval.reminder' | 'approval.expiry'> = {
  'approval.reminder': () => 'you are reminded of the question',
  'approval.expiry': () => 'the question expires',
};
