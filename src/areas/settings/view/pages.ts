import { searchWords } from '@renderer/client/search/search-words';

/** The sections of the settings: their addresses and names, in order. */
export const SETTINGS_TITLES = {
  appearance: 'Appearance',
  work: 'Agents and editor',
  projects: 'Projects',
  rules: 'Permission rules',
  terminals: 'Terminals',
  worktrees: 'Worktrees',
  hosts: 'Remote hosts',
  deliveries: 'Deliveries',
  notifications: 'Notifications',
  keys: 'Keys',
  api: 'Local API',
  backups: 'Backups and diagnostics',
  doctor: 'Doctor',
  system: 'System and data',
} as const;
export type SettingsPage = keyof typeof SETTINGS_TITLES;

/** What is set or shown in each section, by the label on its page; keys are found by the names of their actions. */
export const SETTINGS_LABELS: Readonly<Record<SettingsPage, readonly string[]>> = {
  appearance: ['Theme', 'Rows', 'Motion'],
  work: ['Default profile', 'Editor', 'Time to undo', 'Keep Muster in the tray when its window is closed'],
  projects: ['Project', 'Files to copy', 'Setup', 'Teardown', 'Submodules', 'Signatures', 'Hooks'],
  rules: ['New rule'],
  terminals: ['Output limit per terminal (MB)', 'Output limit of all terminals (MB)', 'Screen reader'],
  worktrees: [],
  hosts: ['New host'],
  deliveries: ['New target', 'Give up after (days)'],
  notifications: ['Something needs you', 'A run fails', 'A run finishes', 'Remind me'],
  keys: [],
  api: ['HTTP API', 'Port'],
  backups: ['Backups', 'Diagnostics'],
  doctor: ['Agents on this machine', 'Agents that can be installed', 'Sandbox of questions', 'Disk space'],
  system: ['Folder', 'Database', 'Bin', 'Restarts', 'Electron', 'Platform'],
};

interface FoundPage {
  readonly page: SettingsPage;
  /** The labels that contain a searched word. */
  readonly labels: readonly string[];
}

/** The sections that contain all words of a search, in their titles or labels; all of them without a search. */
export function foundPages(text: string, keys: readonly string[]): FoundPage[] {
  const words = searchWords(text);
  const has = (name: string, word: string): boolean => name.toLowerCase().includes(word);
  return (Object.keys(SETTINGS_TITLES) as SettingsPage[]).flatMap((page) => {
    const names = page === 'keys' ? keys : SETTINGS_LABELS[page];
    const whole = [SETTINGS_TITLES[page], ...names];
    if (!words.every((word) => whole.some((name) => has(name, word)))) return [];
    return {
      page,
      labels: words.length === 0 ? [] : names.filter((name) => words.some((word) => has(name, word))),
    };
  });
}

export const settingsPages = Object.entries(SETTINGS_TITLES).map(([key, title]) => ({
  title,
  path: ['settings', key],
}));
