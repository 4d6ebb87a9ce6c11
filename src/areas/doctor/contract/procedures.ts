import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/** `unknown` is not `ok`: it could not be found out without a request, or not at all. */
const checkStateSchema = z.enum(['ok', 'missing', 'unknown']);
export type CheckState = z.infer<typeof checkStateSchema>;

/** `available`: known agents that are not installed; none of them is needed. */
const checkGroupSchema = z.enum(['needed', 'agents', 'keys', 'machine', 'available']);
export type CheckGroup = z.infer<typeof checkGroupSchema>;

export const checkGroupTitles: Readonly<Record<CheckGroup, string>> = {
  needed: 'Needed',
  agents: 'Agents on this machine',
  keys: 'Keys',
  machine: 'Also checked',
  available: 'Agents that can be installed',
};

const checkSchema = z.object({
  id: z.string(),
  group: checkGroupSchema,
  title: z.string(),
  state: checkStateSchema,
  /** One sentence. */
  detail: z.string(),
  /** The command that mends it, or finds it out; null if no command does. */
  command: z.string().nullable(),
  /** The id of the agent's profile; null for other checks. */
  agent: z.string().nullable(),
});
export type Check = z.infer<typeof checkSchema>;

const doctorSchema = lazyObject(() => ({ checks: z.array(checkSchema) }));
export type Doctor = z.infer<typeof doctorSchema>;

export const doctorProcedures = {
  /** What Muster needs on this machine, and what of it is there. `thorough` also starts the sandbox of questions. */
  'doctor.get': { input: lazyObject(() => ({ thorough: z.boolean().default(false) })), output: doctorSchema },
} as const;

const worst: readonly CheckState[] = ['missing', 'unknown'];

/** Whether everything that is needed is there: the worst state of those checks. */
export function verdictOf({ checks }: Doctor): CheckState {
  const needed = checks.filter(({ group }) => group === 'needed').map(({ state }) => state);
  return worst.find((state) => needed.includes(state)) ?? 'ok';
}

/** The id of the check that sums up all agents. */
export const ANY_AGENT = 'any-agent';
export const anyAgent = ({ checks }: Doctor): Check | undefined => checks.find(({ id }) => id === ANY_AGENT);

/** Profiles whose agent cannot work now, because its program, login or key is missing. */
export const missingAgents = ({ checks }: Doctor): ReadonlySet<string> =>
  new Set(checks.flatMap(({ agent, state }) => (agent !== null && state === 'missing' ? [agent] : [])));
