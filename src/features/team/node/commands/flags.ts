import type { Call } from '@main/cli/command';
import { actFlags } from '@main/cli/running/act';

export const flags = {
  to: {
    value: 'NAME',
    help: 'say: the member, or the lead; like @NAME at the start of TEXT',
  },
  release: {
    value: 'NAME',
    many: true,
    help: 'say: confirm that the text releases this member',
  },
  message: { help: 'say: send the text as a message that releases no one' },
  follow: {
    help: 'say, messages: keep printing new messages until the team waits for you or ends',
  },
  thread: { value: 'NAME', help: 'messages: only of this member, or of the lead' },
  limit: { value: 'N', help: 'messages: the last N (default 50); list: the last N runs' },
  project: {
    value: 'DIR',
    help: 'start: the project (default: that of the file or the current folder)',
  },
  name: { value: 'TEXT', help: 'start: the name of the run (default: that of the team)' },
  tokens: { value: 'N', help: 'start: the tokens the team may use before it asks you' },
  dollars: { value: 'N', help: 'start: the cost of the team before it asks you' },
  agent: { value: 'PROFILE', help: 'spawn, retry: the agent profile of the member' },
  prompt: { value: 'TEXT', help: 'spawn: the task of the member' },
  iterative: { help: 'spawn: work in rounds until you are satisfied' },
  'read-only': { help: 'spawn: read-only' },
  plan: { help: 'spawn: send a plan first, and stay read-only until you approve it' },
  model: { value: 'NAME', help: 'spawn, retry: the model of the member' },
  'idle-minutes': { value: 'N', help: 'spawn: minutes to wait for an answer before it is parked' },
  task: { value: 'N', help: 'spawn: the number of the task it owns' },
  force: { help: 'shutdown: stop now, without a last round' },
  ours: { value: 'FILE', many: true, help: 'merge: resolve FILE with your version' },
  theirs: { value: 'FILE', many: true, help: 'merge: resolve FILE with the version of the member' },
  both: { value: 'FILE', many: true, help: 'merge: resolve FILE with both versions, one after the other' },
  'by-hand': {
    value: 'FILE=TEXT_FILE',
    many: true,
    help: 'merge: resolve FILE with the text of TEXT_FILE (repeatable)',
  },
  yes: { help: 'merge: confirm the tried merge' },
  decline: { help: 'merge: decline it and keep the branch' },
  priority: { value: 'WORD', help: 'tasks add: high, medium or low' },
  after: { value: 'N', many: true, help: 'tasks add: the number of a task to finish first' },
  ...actFlags,
} as const;

export type TeamCall = Call<typeof flags>;
