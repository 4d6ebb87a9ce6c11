import { Bot, GitFork, Inbox, ListTree, Rss, Settings, SquareTerminal } from 'lucide-react';
import type { ComponentType } from 'react';
import type { ActionSpecs } from '../client/actions';
import type { Icon } from '../ui/icon';
import { AgentsView, agentsActions } from './agents';
import { FeedView, feedActions } from './feed';
import { InboxView, inboxActions, useWaiting } from './inbox';
import { RunsView, runsActions } from './runs';
import { SessionsView, sessionsActions } from './sessions';
import { SettingsView, settingsActions } from './settings';
import { WorkflowsView, workflowsActions } from './workflows';

export interface ViewEntry {
  readonly id: string;
  readonly title: string;
  readonly icon: Icon;
  /** `g` and this letter go there. */
  readonly key: string;
  readonly component: ComponentType;
  readonly actions: ActionSpecs;
  /** The first parts of the addresses that it shows; the first one is its own. */
  readonly paths: readonly string[];
  /** Without a project there is nothing to show: the start screen stands in for it. */
  readonly needsProject?: boolean;
  readonly useCount?: () => number;
  readonly foot?: boolean;
}

// biome-ignore format: one line for each view
export const views: readonly ViewEntry[] = [
  { id: 'inbox', title: 'Inbox', icon: Inbox, key: 'i', component: InboxView, actions: inboxActions, paths: ['inbox', 'gate'], needsProject: true, useCount: useWaiting },
  { id: 'feed', title: 'Feed', icon: Rss, key: 'f', component: FeedView, actions: feedActions, paths: ['feed', 'update'], needsProject: true },
  { id: 'runs', title: 'Runs', icon: ListTree, key: 'r', component: RunsView, actions: runsActions, paths: ['runs', 'run'], needsProject: true },
  { id: 'workflows', title: 'Workflows', icon: GitFork, key: 'w', component: WorkflowsView, actions: workflowsActions, paths: ['workflows', 'workflow'], needsProject: true },
  { id: 'sessions', title: 'Sessions', icon: SquareTerminal, key: 's', component: SessionsView, actions: sessionsActions, paths: ['sessions', 'session', 'terminal'], needsProject: true },
  { id: 'agents', title: 'Agents', icon: Bot, key: 'a', component: AgentsView, actions: agentsActions, paths: ['agents', 'agent'] },
  { id: 'settings', title: 'Settings', icon: Settings, key: ',', component: SettingsView, actions: settingsActions, paths: ['settings'], foot: true },
];
