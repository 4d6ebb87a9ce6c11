import {
  Bot,
  GitFork,
  Inbox,
  ListTree,
  MessageSquareText,
  Repeat,
  Rss,
  Settings,
  SquareTerminal,
  Users,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import type { ActionSpecs } from '../client/actions';
import type { Icon } from '../ui/icon';
import { agentsActions } from './agents/actions';
import { FeedView, feedActions, useUnread } from './feed';
import { InboxView, inboxActions, useWaiting } from './inbox';
import { loopsActions } from './loops/actions';
import { promptsActions } from './prompts/actions';
import { runsActions } from './runs/actions';
import { sessionsActions } from './sessions/actions';
import { settingsActions } from './settings/actions';
import { teamsActions } from './teams/actions';
import { workflowsActions } from './workflows/actions';

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
  /** What the count is of, where nothing waits for the operator. */
  readonly countWord?: 'unread';
  readonly foot?: boolean;
}

/** A view that is read when it is first gone to: the window's start waits for the first one only. */
const later = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));

// biome-ignore format: one line for each view
export const views: readonly ViewEntry[] = [
  { id: 'inbox', title: 'Inbox', icon: Inbox, key: 'i', component: InboxView, actions: inboxActions, paths: ['inbox', 'gate'], needsProject: true, useCount: useWaiting },
  { id: 'feed', title: 'Feed', icon: Rss, key: 'f', component: FeedView, actions: feedActions, paths: ['feed', 'update'], needsProject: true, useCount: useUnread, countWord: 'unread' },
  { id: 'teams', title: 'Teams', icon: Users, key: 't', component: later(async () => (await import('./teams')).TeamsView), actions: teamsActions, paths: ['teams', 'team'], needsProject: true },
  { id: 'runs', title: 'Runs', icon: ListTree, key: 'r', component: later(async () => (await import('./runs')).RunsView), actions: runsActions, paths: ['runs', 'run'], needsProject: true },
  { id: 'workflows', title: 'Workflows', icon: GitFork, key: 'w', component: later(async () => (await import('./workflows')).WorkflowsView), actions: workflowsActions, paths: ['workflows', 'workflow'], needsProject: true },
  { id: 'sessions', title: 'Sessions', icon: SquareTerminal, key: 's', component: later(async () => (await import('./sessions')).SessionsView), actions: sessionsActions, paths: ['sessions', 'session', 'terminal'], needsProject: true },
  { id: 'loops', title: 'Loops', icon: Repeat, key: 'l', component: later(async () => (await import('./loops')).LoopsView), actions: loopsActions, paths: ['loops', 'loop'], needsProject: true },
  { id: 'prompts', title: 'Prompts', icon: MessageSquareText, key: 'p', component: later(async () => (await import('./prompts')).PromptsView), actions: promptsActions, paths: ['prompts', 'prompt'] },
  { id: 'agents', title: 'Agents', icon: Bot, key: 'a', component: later(async () => (await import('./agents')).AgentsView), actions: agentsActions, paths: ['agents', 'agent'] },
  { id: 'settings', title: 'Settings', icon: Settings, key: ',', component: later(async () => (await import('./settings')).SettingsView), actions: settingsActions, paths: ['settings'], foot: true },
];
