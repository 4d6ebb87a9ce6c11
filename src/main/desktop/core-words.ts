import { attentionProcedures, type BesidesDecisions } from '@contract/attention/procedures';
import { gateProcedures } from '@contract/gate/procedures';
import { type Push, pushSchema } from '@contract/ipc';
import type { RunRow } from '@contract/run/procedures';
import { runProcedures } from '@contract/run/procedures';
import { sessionProcedures } from '@contract/session/procedures';

/*
 * What main reads of what the core says, beyond handing it on. Imported when it is first needed: the schemas of runs and
 * gates take longer to make than all else that main is made of.
 */

type GateRow = Extract<Push, { topic: 'gates' }>['rows'][number];

/** A push as agreed, or null. */
export const readPush = (push: Push): Push | null => pushSchema.safeParse(push).data ?? null;

/** The rows of an answer to `gate.list`; none where it is another. */
export const readGates = (value: unknown): readonly GateRow[] =>
  gateProcedures['gate.list'].output.safeParse(value).data ?? [];

/** What an answer to `attention.list` lists beside the gates; undefined where it is another. */
export const readBesides = (value: unknown): BesidesDecisions | undefined =>
  attentionProcedures['attention.list'].output.safeParse(value).data;

/** The rows of an answer to `run.list`; none where it is another. */
export const readRuns = (value: unknown): readonly RunRow[] =>
  runProcedures['run.list'].output.safeParse(value).data?.rows ?? [];

/** Where a terminal's output lies, of an answer to `terminal.get`; null where it is another. */
export const readOutputPath = (value: unknown): string | null =>
  sessionProcedures['terminal.get'].output.safeParse(value).data?.outputPath ?? null;
