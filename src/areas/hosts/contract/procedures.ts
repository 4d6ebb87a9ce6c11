import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import {
  hostCheckSchema,
  hostFactsSchema,
  hostNameSchema,
  hostSchema,
  hostStateSchema,
  sshAliasSchema,
} from './host';

const hostRowSchema = lazyObject(() => ({
  ...hostSchema.unwrap().shape,
  state: hostStateSchema,
  /** Of the last successful look by this core. */
  facts: hostFactsSchema.nullable(),
}));
export type HostRow = z.infer<typeof hostRowSchema>;

const named = lazyObject(() => ({ name: hostNameSchema }));

export const hostProcedures = {
  'host.list': { input: z.object({}), output: lazyObject(() => ({ rows: z.array(hostRowSchema) })) },
  /** Stores the host. It is not contacted. */
  'host.add': {
    input: lazyObject(() => ({ name: hostNameSchema, ssh: sshAliasSchema })),
    output: hostSchema,
  },
  /** Connects, and installs or updates Muster's program there if it is missing. */
  'host.test': { input: named, output: hostFactsSchema },
  /** Checks what Muster needs there. Changes nothing. */
  'host.doctor': { input: named, output: lazyObject(() => ({ checks: z.array(hostCheckSchema) })) },
  /** Forgets the host. Refused while something of Muster runs there. */
  'host.remove': { input: named, output: z.object({}) },
  /** Removes Muster's older programs there that have no sessions, and the folders of ended runs. */
  'host.clean': {
    input: named,
    output: lazyObject(() => ({
      removed: z.array(z.string()),
      kept: z.array(z.string()),
      /** Folders of ended runs. */
      folders: z.array(z.string()),
    })),
  },
} as const;
