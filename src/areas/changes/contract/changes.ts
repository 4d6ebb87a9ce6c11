import { amount, whole } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import { largeTextSchema } from '@contract/whole-text';
import { z } from 'zod';

export const fileChangeSchema = lazyObject(() => ({
  path: z.string(),
  /** Set if the file was moved. */
  oldPath: z.string().nullable(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'type_changed']),
  /** Lines; null for a binary file. */
  added: whole().nullable(),
  removed: whole().nullable(),
}));
export type FileChange = z.infer<typeof fileChangeSchema>;

/**
 * A turn's changes to its workspace: two snapshots, as commits held by Muster's refs, and the size of the
 * difference.
 */
export const turnChangesSchema = lazyObject(() => ({
  before: z.string(),
  after: z.string(),
  files: whole(),
  added: whole(),
  removed: whole(),
  /** Another agent worked in the folder at the same time, so its changes are included. */
  shared: z.boolean().optional(),
}));
export type TurnChanges = z.infer<typeof turnChangesSchema>;

/** A command that an agent ran in a turn, as reported by its tool calls or its terminal. */
export const ranCommandSchema = lazyObject(() => ({
  command: z.string(),
  /** Null if the agent did not report it. */
  exitCode: whole().nullable(),
  /** End of the output. */
  outputTail: z.string(),
  /** When it ended, in milliseconds since 1970, if known. */
  at: amount().optional(),
}));
export type RanCommand = z.infer<typeof ranCommandSchema>;

/** A file whose part of a diff is not in the text, because of its size. */
const omittedDiffSchema = lazyObject(() => ({
  path: z.string(),
  /** Lines; null for a binary file. */
  added: whole().nullable(),
  removed: whole().nullable(),
}));

/** A stored diff between two commits. Use `wholeDiff` or `markedDiff` to read its text. */
export const takenDiffSchema = lazyObject(() => ({
  from: z.string(),
  to: z.string(),
  /** The diffs of all files except the omitted ones, each whole. */
  text: z.string(),
  omitted: z.array(omittedDiffSchema).default([]),
  /** Of the whole diff. */
  bytes: whole(),
  /** The file with the whole diff; null if it was not written, or is larger than Muster keeps. */
  path: z.string().nullable(),
  /** The hash of that file. */
  sha256: z.string().optional(),
  /** The whole text, where `text` lacks files. */
  whole: largeTextSchema.optional(),
}));
export type TakenDiff = z.infer<typeof takenDiffSchema>;

/** The whole text; null if it lacks files. */
export const wholeDiff = ({ text, omitted }: TakenDiff): string | null =>
  omitted.length === 0 ? text : null;

/** `+3 -1`, or that there are no lines to count. */
export const countsOf = ({ added, removed }: Pick<FileChange, 'added' | 'removed'>): string =>
  added === null || removed === null ? 'binary' : `+${added} -${removed}`;

/**
 * The text for readers that cannot open the whole: it begins with a mark that names each omitted file. Patch
 * programs skip text before the first file.
 */
export function markedDiff(diff: TakenDiff): string {
  const { text, omitted, bytes, path } = diff;
  if (omitted.length === 0) return text;
  const files = omitted.map((file) => `#   ${file.path} (${countsOf(file)})`);
  const where =
    path === null
      ? `The whole diff has ${bytes} bytes, more than Muster keeps: git diff ${diff.from} ${diff.to}`
      : `The whole diff (${bytes} bytes) is in ${path}`;
  const what = omitted.length === 1 ? '1 file is' : `${omitted.length} files are`;
  return [
    `# NOT WHOLE: the diffs of ${what} left out here because of their size:`,
    ...files,
    `# ${where}`,
    text,
  ].join('\n');
}

export type SnapshotMoment = 'before' | 'after';

/** The name of the snapshot before or after a turn; becomes a ref of Muster's. */
export const turnSnapshot = (uid: string, turnId: number, moment: SnapshotMoment): string =>
  `${uid}/t${turnId}-${moment}`;

/** The name of the snapshot of a branch at the end of its run. */
export const endSnapshot = (uid: string, branch: string): string =>
  `${uid}/ended-${branch.slice(branch.lastIndexOf('/') + 1)}`;

/** The name of the snapshot of a team member's work when it stopped (`work`), or of the current state. */
export const workSnapshot = (
  uid: string,
  { activationId, member }: { readonly activationId: number; readonly member: string },
  moment: 'work' | 'now',
): string => `${uid}/${moment}-${activationId}-${member}`;
