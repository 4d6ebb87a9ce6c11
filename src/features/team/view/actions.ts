import type { ActionSpecs } from '@renderer/client/actions';

export const teamsActions = {
  'team.new': { title: 'Start a team', keys: 'n', group: 'Teams' },
  'team.write': { title: 'Write a message', keys: 'm', group: 'Teams' },
  'team.changes': { title: 'Ask the member for changes', keys: 'shift+c', group: 'Teams' },
  'team.satisfied': {
    title: 'Satisfied: release the member',
    keys: 'shift+s',
    group: 'Teams',
  },
  'team.interrupt': {
    title: 'Interrupt and send',
    keys: 'mod+shift+Enter',
    group: 'Teams',
    inText: true,
  },
  'team.shutdown': { title: 'Shut the member down', keys: 'shift+x', group: 'Teams' },
  'team.session': { title: 'Open the session of the member', keys: 'o', group: 'Teams' },
  'team.run': { title: 'Open the run of the team', keys: 'w', group: 'Teams' },
  'team.cleanup': { title: 'End the team', keys: 'shift+d', group: 'Teams' },
  'team.save': { title: 'Save the team as a template', keys: 'shift+t', group: 'Teams' },
  'team.copy': { title: 'Copy the address of the thread', keys: 'y', group: 'Teams' },
  'team.members': { title: 'Show the members', keys: '1', group: 'Teams' },
  'team.tasks': { title: 'Show the task board', keys: '2', group: 'Teams' },
  'team.spawn': { title: 'Add a member', keys: 'plus', group: 'Teams' },
  'team.earlier': { title: 'Show earlier messages', keys: 'shift+k', group: 'Teams' },
  'message.next': { title: 'Next message', keys: 'j', group: 'Team chat', quiet: true, repeats: true },
  'message.previous': {
    title: 'Previous message',
    keys: 'k',
    group: 'Team chat',
    quiet: true,
    repeats: true,
  },
  'reply.satisfied': { title: 'Satisfied with this round', keys: 'a', group: 'Reply' },
  'reply.changes': { title: 'Ask for changes', keys: 'r', group: 'Reply' },
  'release.yes': { title: 'Yes, release the member', keys: 'y', group: 'Release?', quiet: true },
  'release.no': { title: 'No, send it as a message', keys: 'n', group: 'Release?', quiet: true },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof teamsActions, true> {}
}
