/**
 * Queries for a window's first view, which read only the store. A core answers them as soon as its store is
 * open, even before `ready`. They only read, so repeating them is harmless.
 */
export const firstReads = ['feed.list', 'gate.list', 'project.list', 'settings.get'] as const;
export type FirstRead = (typeof firstReads)[number];
