import type { TimerWords } from '@contract/run/key-codec';

/** The durable keys of approvals; the number counts an activation's questions. */
export const approvalKeys = {
  'approval.ask': ['number'],
  'approval.reminder': ['number'],
  'approval.expiry': ['number'],
} as const;

export const approvalTimerWords: TimerWords<typeof approvalKeys, 'approval.reminder' | 'approval.expiry'> = {
  'approval.reminder': () => 'you are reminded of the question',
  'approval.expiry': () => 'the question expires',
};
