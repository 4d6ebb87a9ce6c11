import { featureViews } from '@features/view';
import {
  Bot,
  GitFork,
  House,
  Inbox,
  ListTree,
  MessageSquareText,
  Rss,
  Search,
  Settings,
  SquareTerminal,
  Wallet,
} from 'lucide-react';
import { useNeedsYou } from '../parts/attention/use-items';
import { later, type ViewEntry } from '../parts/pages/view-entry';
import { agentsActions } from './agents/actions';
import { FeedView, feedActions, useUnread } from './feed';
import { homeActions } from './home/actions';
import { InboxView, inboxActions } from './inbox';
import { promptsActions } from './prompts/actions';
import { runsActions } from './runs/actions';
import { searchActions } from './search/actions';
import { sessionsActions } from './sessions/actions';
import { settingsActions } from './settings/actions';
import { settingsPages } from './settings/pages';
import { spendActions } from './spend/actions';
import { workflowsActions } from './workflows/actions';

// biome-ignore format: one line for each view
const own: readonly ViewEntry[] = [
  { id: 'inbox', title: 'Inbox', words: 'gates approve permission questions', icon: Inbox, key: 'i', component: InboxView, actions: inboxActions, paths: ['inbox', 'gate'], needsProject: true, useCount: useNeedsYou },
  { id: 'home', title: 'Home', icon: House, key: 'h', component: later(async () => (await import('./home')).HomeView), actions: homeActions, paths: ['home'], needsProject: true },
  { id: 'feed', title: 'Feed', icon: Rss, key: 'f', component: FeedView, actions: feedActions, paths: ['feed', 'update'], needsProject: true, useCount: useUnread, countWord: 'unread' },
  { id: 'search', title: 'Search', icon: Search, key: '/', component: later(async () => (await import('./search')).SearchView), actions: searchActions, paths: ['search'], needsProject: true },
  { id: 'runs', title: 'Runs', words: 'apply result clean history', icon: ListTree, key: 'r', component: later(async () => (await import('./runs')).RunsView), actions: runsActions, paths: ['runs', 'run'], needsProject: true },
  { id: 'workflows', title: 'Workflows', icon: GitFork, key: 'w', component: later(async () => (await import('./workflows')).WorkflowsView), actions: workflowsActions, paths: ['workflows', 'workflow'], needsProject: true },
  { id: 'sessions', title: 'Sessions', words: 'chat conversation terminal', icon: SquareTerminal, key: 's', component: later(async () => (await import('./sessions')).SessionsView), actions: sessionsActions, paths: ['sessions', 'session', 'terminal'], needsProject: true },
  { id: 'prompts', title: 'Prompts', icon: MessageSquareText, key: 'p', component: later(async () => (await import('./prompts')).PromptsView), actions: promptsActions, paths: ['prompts', 'prompt'] },
  { id: 'agents', title: 'Agents', words: 'install log in detect model', icon: Bot, key: 'a', component: later(async () => (await import('./agents')).AgentsView), actions: agentsActions, paths: ['agents', 'agent'] },
  { id: 'spend', title: 'Spend', words: 'cost money tokens budget usage price', icon: Wallet, key: '$', component: later(async () => (await import('./spend')).SpendView), actions: spendActions, paths: ['spend'], needsProject: true },
  { id: 'settings', title: 'Settings', words: 'preferences options configuration clean worktrees', icon: Settings, key: ',', component: later(async () => (await import('./settings')).SettingsView), actions: settingsActions, paths: ['settings'], pages: settingsPages, foot: true },
];

/** The platform's views, each followed by the views of features below it. */
export const views: readonly ViewEntry[] = own.flatMap((view) => [
  view,
  ...featureViews.filter(({ below }) => below === view.id),
]);
