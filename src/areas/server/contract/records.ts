import { agentProfileSchema } from '@areas/agents/contract/profile';
import { hostSchema } from '@areas/hosts/contract/host';
import { permissionRuleSchema } from '@areas/permissions/contract/rule';
import { z } from 'zod';

/** A project as all servers know it. Its number comes from the shared log, because events name it. */
const projectBodySchema = z.object({
  id: z.number().int(),
  path: z.string(),
  name: z.string(),
  addedAt: z.number().int(),
  removedAt: z.number().int().nullable(),
});

const snoozeSchema = z.object({
  runId: z.number().int(),
  gateId: z.number().int(),
  until: z.number().int().nullable(),
});

const record = <K extends string, B extends z.ZodType>(kind: K, body: B) =>
  z.object({ kind: z.literal(kind), key: z.string(), body });

/** What servers share besides events. The newest version counts; a null body is a removed record. */
export const sharedRecordSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    record('project', projectBodySchema),
    record('profile', agentProfileSchema.nullable()),
    record('host', hostSchema.nullable()),
    record('rule', permissionRuleSchema),
    record('setting', z.object({ value: z.unknown() }).nullable()),
    record('snooze', snoozeSchema),
  ]),
);
export type SharedRecord = z.infer<typeof sharedRecordSchema>;
