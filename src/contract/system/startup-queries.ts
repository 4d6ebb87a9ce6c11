/**
 * What a window draws first, read from the store alone: a core answers these as soon as its store is open, and they may
 * be asked of one that has not said yet that it answers. Reads only, so that asking one twice does no harm.
 */
export const firstReads = ['feed.list', 'gate.list', 'project.list', 'settings.get'] as const;
export type FirstRead = (typeof firstReads)[number];
