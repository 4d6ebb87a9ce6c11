import { attentionProcedures, type BesidesDecisions } from '@areas/attention/contract/procedures';
import { gateProcedures } from '@areas/gates/contract/procedures';
import { sessionProcedures } from '@areas/sessions/contract/procedures';
import { type Push, pushSchema } from '@contract/ipc';
import type { RunRow } from '@contract/run/procedures';
import { runProcedures } from '@contract/run/procedures';

/*
 * Parses what main itself needs from the core, beyond passing it on. Imported on first use: the schemas of
 * runs and gates take longer to build than the rest of main.
 */

type GateRow = Extract<Push, { topic: 'gates' }>['rows'][number];

/** A valid push, or null. */
export const readPush = (push: Push): Push | null => pushSchema.safeParse(push).data ?? null;

/** The rows of an answer to `gate.list`; empty if it is invalid. */
export const readGates = (value: unknown): readonly GateRow[] =>
  gateProcedures['gate.list'].output.safeParse(value).data ?? [];

/** The items beside the gates in an answer to `attention.list`; undefined if it is invalid. */
export const readBesides = (value: unknown): BesidesDecisions | undefined =>
  attentionProcedures['attention.list'].output.safeParse(value).data;

/** The rows of an answer to `run.list`; empty if it is invalid. */
export const readRuns = (value: unknown): readonly RunRow[] =>
  runProcedures['run.list'].output.safeParse(value).data?.rows ?? [];

/** The path of a terminal's output in an answer to `terminal.get`; null if it is invalid. */
export const readOutputPath = (value: unknown): string | null =>
  sessionProcedures['terminal.get'].output.safeParse(value).data?.outputPath ?? null;
