import { actFlags } from '@main/cli/act';
import type { Call } from '@main/cli/command';

export const flags = {
  to: {
    value: 'NAME',
    help: 'say: to this member, or to the lead; @NAME at the start of TEXT does the same',
  },
  release: {
    value: 'NAME',
    many: true,
    help: 'say: the words release this member; asked for where they are in doubt',
  },
  message: { help: 'say: the words are only a message and release no one' },
  follow: {
    help: 'say, messages: print what is said from now on, until the team waits for you or has ended',
  },
  thread: { value: 'NAME', help: 'messages: only those of this member, or of the lead' },
  limit: { value: 'N', help: 'messages: the last N (default 50); list: the last N runs' },
  project: {
    value: 'DIR',
    help: 'start: the project, where it is not that of the file or the current folder',
  },
  name: { value: 'TEXT', help: 'start: the name of the run, instead of that of the team' },
  tokens: { value: 'N', help: 'start: what the team may use before you are asked' },
  dollars: { value: 'N', help: 'start: what the team may cost before you are asked' },
  agent: { value: 'PROFILE', help: 'spawn: the agent profile of the member; retry: another one for it' },
  prompt: { value: 'TEXT', help: 'spawn: what the member is asked for' },
  iterative: { help: 'spawn: it works in rounds until you are satisfied' },
  'read-only': { help: 'spawn: it may only read' },
  plan: { help: 'spawn: it sends a plan first, and only reads until you approve it' },
  model: { value: 'NAME', help: 'spawn, retry: the model of the member' },
  'idle-minutes': { value: 'N', help: 'spawn: how long it may wait for an answer before it is parked' },
  task: { value: 'N', help: 'spawn: the number of a task that it owns' },
  force: { help: 'shutdown: at once, without a last round' },
  ours: { value: 'FILE', many: true, help: 'merge: in conflict, keep the file of your checkout' },
  theirs: { value: 'FILE', many: true, help: 'merge: in conflict, take the file of the member' },
  both: { value: 'FILE', many: true, help: 'merge: in conflict, keep both, one after the other' },
  'by-hand': {
    value: 'FILE=TEXT_FILE',
    many: true,
    help: 'merge: in conflict, take the text of TEXT_FILE for FILE (again for each)',
  },
  yes: { help: 'merge: confirm it now, as it was tried' },
  decline: { help: 'merge: leave the branch as it is' },
  priority: { value: 'WORD', help: 'tasks add: high, medium or low' },
  after: { value: 'N', many: true, help: 'tasks add: the number of a task that comes first' },
  ...actFlags,
} as const;

export type TeamCall = Call<typeof flags>;
