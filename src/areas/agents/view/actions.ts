import type { ActionSpecs } from '@renderer/client/actions';

export const agentsActions = {
  'agent.test': { title: 'Test the profile', keys: 't', group: 'Agents' },
  'agent.save': { title: 'Save the profile', keys: 'mod+s', group: 'Agents', inText: true },
  'agent.copy': { title: 'Duplicate profile', keys: 'd', group: 'Agents' },
  'agent.remove': { title: 'Remove the profile', keys: 'Delete', group: 'Agents' },
  'agent.new.acp': { title: 'New profile: an agent that speaks ACP', group: 'Agents' },
  'agent.new.cli': { title: 'New profile: an agent in a terminal', group: 'Agents' },
  'agent.new.gateway': { title: 'New profile: a model over HTTP', group: 'Agents' },
  'agent.new.scripted': { title: 'New profile: a scripted agent', group: 'Agents' },
  'agent.detect': { title: 'Detect agents again', keys: 'l', group: 'Agents', words: 'install' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof agentsActions, true> {}
}
