import { firstFinding } from '@contract/findings';
import type { CoreProcedureName, ProcedureInput, ProcedureOutput } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import { namingWhole } from '@contract/whole-text';
import { z } from 'zod';
import { ask, type CoreCalls } from '../core-service';
import { badRequest, type Fault, faultOf } from './fault';

/** A route's input: the words of its pattern, the query, and the body if the method has one. */
export interface RouteRequest {
  readonly core: CoreCalls;
  readonly words: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}
export interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
export type Answered = Promise<Result<Answer, Fault>>;

export interface Route {
  readonly method: 'GET' | 'POST';
  /** A word after a colon matches any word. */
  readonly path: string;
  readonly handle: (request: RouteRequest) => Answered;
  /** False if the content itself is the authorisation. */
  readonly needsToken?: false;
  /** Maximum bytes of the body, if lower than usual. */
  readonly bodyLimit?: number;
}

/** Recorded in events as who answered a gate or stopped a run. */
export const BY = 'http api';

/** Validates a body or query with the schema; unknown keys are refused. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>, Fault> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  return err(badRequest(firstFinding(parsed.error)));
}

export async function callCore<N extends CoreProcedureName>(
  core: CoreCalls,
  name: N,
  input: ProcedureInput<N>,
): Promise<Result<ProcedureOutput<N>, Fault>> {
  const reply = await ask(core, name, input);
  return reply.ok ? reply : err(faultOf(reply.error));
}

/** A run by its address: its number in this database, or its uid. */
export async function findRun(core: CoreCalls, name: string): Promise<Result<number, Fault>> {
  const row = await callCore(core, 'run.find', { name });
  return row.ok ? ok(row.value.id) : row;
}

type Sent = 'query' | 'body';

/** A handler of a query or body with this schema. */
export const given =
  <S extends z.ZodType>(
    sent: Sent,
    schema: S,
    handle: (value: z.output<S>, request: RouteRequest) => Answered,
  ): Route['handle'] =>
  async (request) => {
    const value = parse(schema, request[sent]);
    return value.ok ? handle(value.value, request) : value;
  };

interface RunRequest extends RouteRequest {
  readonly runId: number;
}

/** The same for a path that names a run. */
export const inRun = <S extends z.ZodType>(
  sent: Sent,
  schema: S,
  handle: (value: z.output<S>, request: RunRequest) => Answered,
): Route['handle'] =>
  given(sent, schema, async (value, request) => {
    const runId = await findRun(request.core, request.words.run ?? '');
    return runId.ok ? handle(value, { ...request, runId: runId.value }) : runId;
  });

/** Responds with the core's answer, or with `of` applied to it. */
export async function respond<T>(
  answer: Promise<Result<T, Fault>>,
  of: (value: T) => Answer = (body) => ({ body }),
): Answered {
  const value = await answer;
  return value.ok ? ok(of(value.value)) : value;
}

/** A body in which each large text of the run has the address of all of it. */
export const namingAddresses = (body: object, runId: number): object =>
  namingWhole(body, (sha256) => `/runs/${runId}/text?sha256=${sha256}`);

/** A query or body without fields. */
export const nothing = z.strictObject({});

/** Counts and numbers in queries and paths. */
export const number = z.coerce.number().int().nonnegative();
export const page = { before: number.optional(), limit: number.min(1).max(500).default(100) };
