import { agentsActions } from '@areas/agents/view/actions';
import { InboxView, inboxActions } from '@areas/attention/view';
import { useNeedsYou } from '@areas/attention/view/parts/use-items';
import { FeedView, feedActions, useUnread } from '@areas/feed/view';
import { issuesActions } from '@areas/forges/view/actions';
import { helpActions } from '@areas/help/view/actions';
import { homeActions } from '@areas/home/view/actions';
import { promptsActions } from '@areas/prompts/view/actions';
import { runsActions } from '@areas/runs/view/actions';
import { searchActions } from '@areas/search/view/actions';
import { sessionsActions } from '@areas/sessions/view/actions';
import { settingsActions } from '@areas/settings/view/actions';
import { settingsPages } from '@areas/settings/view/pages';
import { spendActions } from '@areas/spend/view/actions';
import { workflowsActions } from '@areas/workflows/view/actions';
import { featureViews } from '@features/view';
import {
  BookOpen,
  Bot,
  CircleDot,
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
import { later, type ViewEntry } from '../parts/pages/view-entry';

// biome-ignore format: one line for each view
const own: readonly ViewEntry[] = [
  { id: 'inbox', group: 'Decide', title: 'Inbox', words: 'gates approve permission questions', icon: Inbox, key: 'i', component: InboxView, actions: inboxActions, paths: ['inbox', 'gate'], help: ['workflows', 'approvals'], needsProject: true, useCount: useNeedsYou },
  { id: 'home', group: 'Decide', title: 'Home', icon: House, key: 'h', component: later(async () => (await import('@areas/home/view')).HomeView), actions: homeActions, paths: ['home'], help: ['muster', 'what-it-does-today'], needsProject: true },
  { id: 'feed', group: 'Decide', title: 'Feed', icon: Rss, key: 'f', component: FeedView, actions: feedActions, paths: ['feed', 'update'], help: ['muster', 'what-it-does-today'], needsProject: true, useCount: useUnread, countWord: 'unread' },
  { id: 'search', group: 'Know', title: 'Search', icon: Search, key: '/', component: later(async () => (await import('@areas/search/view')).SearchView), actions: searchActions, paths: ['search'], help: ['muster', 'what-it-does-today'], needsProject: true },
  { id: 'issues', group: 'Work', title: 'Issues', words: 'github forge bugs tickets pull request', icon: CircleDot, key: 'u', component: later(async () => (await import('@areas/forges/view')).IssuesView), actions: issuesActions, paths: ['issues', 'issue'], help: ['forges'], begins: { title: 'Start work from an issue', path: ['issues'] }, needsProject: true },
  { id: 'runs', group: 'Work', title: 'Runs', words: 'apply result clean history', icon: ListTree, key: 'r', component: later(async () => (await import('@areas/runs/view')).RunsView), actions: runsActions, paths: ['runs', 'run'], help: ['muster', 'where-the-result-is-and-how-to-apply-it'], needsProject: true },
  { id: 'workflows', group: 'Build', title: 'Workflows', icon: GitFork, key: 'w', component: later(async () => (await import('@areas/workflows/view')).WorkflowsView), actions: workflowsActions, paths: ['workflows', 'workflow'], help: ['workflows'], needsProject: true },
  { id: 'sessions', group: 'Work', title: 'Sessions', words: 'chat conversation terminal', icon: SquareTerminal, key: 's', component: later(async () => (await import('@areas/sessions/view')).SessionsView), actions: sessionsActions, paths: ['sessions', 'session', 'terminal'], help: ['muster', 'what-it-does-today'], needsProject: true },
  { id: 'prompts', group: 'Build', title: 'Prompts', words: 'texts wording language templates', icon: MessageSquareText, key: 'p', component: later(async () => (await import('@areas/prompts/view')).PromptsView), actions: promptsActions, paths: ['prompts', 'prompt'], help: ['workflows', 'references'] },
  { id: 'agents', group: 'Build', title: 'Agents', words: 'install log in detect model', icon: Bot, key: 'a', component: later(async () => (await import('@areas/agents/view')).AgentsView), actions: agentsActions, paths: ['agents', 'agent'], help: ['muster', 'agents'] },
  { id: 'spend', group: 'Know', title: 'Spend', words: 'cost money tokens budget usage price', icon: Wallet, key: '$', component: later(async () => (await import('@areas/spend/view')).SpendView), actions: spendActions, paths: ['spend'], help: ['muster', 'what-it-does-today'], needsProject: true },
  { id: 'settings', group: 'Know', title: 'Settings', words: 'preferences options configuration clean worktrees', icon: Settings, key: ',', component: later(async () => (await import('@areas/settings/view')).SettingsView), actions: settingsActions, paths: ['settings'], help: ['workflows', 'settings-of-a-project'], pages: settingsPages },
  { id: 'help', group: 'Know', title: 'Help', words: 'documentation manual guide what is new', icon: BookOpen, key: '?', component: later(async () => (await import('@areas/help/view')).HelpView), actions: helpActions, paths: ['help'] },
];

/** The platform's views, each followed by the views of features below it. */
export const views: readonly ViewEntry[] = own.flatMap((view) => [
  view,
  ...featureViews.filter(({ below }) => below === view.id),
]);
