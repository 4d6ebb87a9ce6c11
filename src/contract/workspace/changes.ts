import { z } from 'zod';

export const fileChangeSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    /** Set where the file was moved. */
    oldPath: z.string().nullable(),
    status: z.enum(['added', 'modified', 'deleted', 'renamed', 'type_changed']),
    /** Lines; null for a binary file. */
    added: z.number().int().nullable(),
    removed: z.number().int().nullable(),
  }),
);
export type FileChange = z.infer<typeof fileChangeSchema>;

/** What a turn did to its workspace: two snapshots, as commits that refs of Muster's hold, and how much is between. */
export const turnChangesSchema = z.lazy(() =>
  z.object({
    before: z.string(),
    after: z.string(),
    files: z.number().int(),
    added: z.number().int(),
    removed: z.number().int(),
    /** Another agent worked in the folder at the same time: what it did is among them. */
    shared: z.boolean().optional(),
  }),
);
export type TurnChanges = z.infer<typeof turnChangesSchema>;

/** A command that an agent ran by itself in a turn, as its tool calls or its terminal told. */
export const ranCommandSchema = z.lazy(() =>
  z.object({
    command: z.string(),
    /** Null where the agent did not tell. */
    exitCode: z.number().int().nullable(),
    /** End of the output. */
    outputTail: z.string(),
    /** When it was over, in milliseconds since 1970, where that is known. */
    at: z.number().optional(),
  }),
);
export type RanCommand = z.infer<typeof ranCommandSchema>;

/** A diff that was taken: whole in its file, and its beginning here. */
export const takenDiffSchema = z.lazy(() =>
  z.object({
    from: z.string(),
    to: z.string(),
    text: z.string(),
    truncated: z.boolean(),
    bytes: z.number().int(),
    path: z.string().nullable(),
  }),
);
export type TakenDiff = z.infer<typeof takenDiffSchema>;

export type SnapshotMoment = 'before' | 'after';

/** The name of the snapshot that was taken before or after a turn; what a ref of Muster's is made of. */
export const turnSnapshot = (uid: string, turnId: number, moment: SnapshotMoment): string =>
  `${uid}/t${turnId}-${moment}`;

/** The name of the snapshot of what a run left on a branch when it ended. */
export const endSnapshot = (uid: string, branch: string): string =>
  `${uid}/ended-${branch.slice(branch.lastIndexOf('/') + 1)}`;

/** The name of the snapshot of what a member of a team left when it stopped (`work`), or of what is there since. */
export const workSnapshot = (
  uid: string,
  { activationId, member }: { readonly activationId: number; readonly member: string },
  moment: 'work' | 'now',
): string => `${uid}/${moment}-${activationId}-${member}`;
