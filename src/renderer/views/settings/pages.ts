/** The sections of the settings: their addresses and names, in order. */
export const SETTINGS_TITLES = {
  appearance: 'Appearance',
  work: 'Agents and editor',
  rules: 'Permission rules',
  terminals: 'Terminals',
  worktrees: 'Worktrees',
  deliveries: 'Deliveries',
  notifications: 'Notifications',
  keys: 'Keys',
  api: 'Local API',
  system: 'System and data',
} as const;
export type SettingsPage = keyof typeof SETTINGS_TITLES;

export const settingsPages = Object.entries(SETTINGS_TITLES).map(([key, title]) => ({
  title,
  path: ['settings', key],
}));
