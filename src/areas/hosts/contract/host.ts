import { appErrorSchema } from '@contract/errors';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

const NAME = 'a name of letters, digits and -, at most 32 characters, such as gpu1';
export const hostNameSchema = z.string(NAME).regex(/^[a-zA-Z0-9][a-zA-Z0-9-]{0,31}$/, NAME);

const ALIAS = 'an entry of your ~/.ssh/config, or USER@HOST; it cannot begin with - or contain spaces';
/** Passed to ssh as its destination: an option in its place would run a command here. */
export const sshAliasSchema = z.string(ALIAS).regex(/^[^\s\p{Cc}-][^\s\p{Cc}]{0,254}$/u, ALIAS);

/** A host as the operator added it. Muster stores neither key nor password. */
export const hostSchema = lazyObject(() => ({
  name: hostNameSchema,
  ssh: sshAliasSchema,
  addedAt: z.number().int(),
}));
export type Host = z.infer<typeof hostSchema>;

/** What a host says about itself. */
export const hostStatsSchema = lazyObject(() => ({
  /** The average load of one minute. */
  load: z.number(),
  processors: z.number().int(),
  memoryBytes: z.number(),
  freeMemoryBytes: z.number(),
  /** Of the disk with its home folder. */
  freeDiskBytes: z.number(),
  /** Running programs of Muster. */
  sessions: z.number().int(),
}));

export type HostStats = z.infer<typeof hostStatsSchema>;

/** What the last look at a host found. */
export const hostFactsSchema = lazyObject(() => ({
  at: z.number(),
  latencyMs: z.number(),
  system: z.string(),
  node: z.string(),
  git: z.string(),
  /** The first characters of the running code's hash. */
  version: z.string(),
  /** Names of installed agents. */
  agents: z.array(z.string()),
  stats: hostStatsSchema.unwrap(),
}));
export type HostFacts = z.infer<typeof hostFactsSchema>;

/**
 * `idle`: not in use, so not connected. `disconnected`: the connection broke and is being restored; work continues
 * there. `failed`: the last attempt to connect was refused for a reason that does not pass by itself.
 */
export const hostStateSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('idle') }),
    z.object({ kind: z.literal('connecting') }),
    z.object({ kind: z.literal('connected'), since: z.number() }),
    z.object({ kind: z.literal('disconnected'), since: z.number(), error: appErrorSchema.unwrap() }),
    z.object({ kind: z.literal('failed'), error: appErrorSchema.unwrap() }),
  ]),
);
export type HostState = z.infer<typeof hostStateSchema>;

/** One line of `muster hosts doctor`. */
export const hostCheckSchema = lazyObject(() => ({
  title: z.string(),
  /** What was found. */
  found: z.string(),
  problem: appErrorSchema.nullable(),
}));
export type HostCheck = z.infer<typeof hostCheckSchema>;
