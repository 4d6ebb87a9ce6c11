import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { faultOf } from '@main/api/http/fault';
import {
  type Answered,
  BY,
  callCore,
  findRun,
  given,
  namingAddresses,
  nothing,
  number,
  parse,
  type Route,
  type RouteRequest,
  respond,
} from '@main/api/http/route';
import { z } from 'zod';
import { gateAnswerSchema } from '../contract/gate';
import { gateOrigin } from '../contract/requester';

async function listGates({ core, query }: RouteRequest): Answered {
  const given = parse(
    z.strictObject({
      status: z.enum(['open', 'closed']).default('open'),
      limit: number.min(1).max(1000).default(200),
      run: number.optional(),
      after: z
        .string()
        .regex(/^\d+\.\d+$/, 'use the `next` value of the previous page')
        .optional(),
    }),
    query,
  );
  if (!given.ok) return given;
  const { status, limit, run: runId, after } = given.value;
  const [at = 0, event = 0] = (after ?? '').split('.').map(Number);
  const place = after === undefined ? {} : { after: { at, event } };
  const gates = await callCore(core, 'gate.list', { status, limit, runId, ...place });
  if (!gates.ok) return gates;
  const last = gates.value.length < limit ? undefined : gates.value.at(-1);
  const time = last?.status === 'open' ? last.openedAt : last?.closedAt;
  const next = last?.event === undefined ? null : `${time ?? 0}.${last.event}`;
  const shown = gates.value.map((gate) => namingAddresses({ ...gate, origin: gateOrigin(gate) }, gate.runId));
  return ok({ body: { gates: shown, next } });
}

/** A handler whose path names a run's gate. */
const atGate = <S extends z.ZodType>(
  sent: 'query' | 'body',
  schema: S,
  handle: (
    value: z.output<S>,
    request: RouteRequest & { readonly gate: { runId: number; gateId: number } },
  ) => Answered,
): Route['handle'] =>
  given(sent, schema, async (value, request) => {
    const { core, words } = request;
    const gateId = parse(number, words.gate);
    if (!gateId.ok) return err(faultOf(appError('not_found', `there is no gate "${words.gate ?? ''}"`)));
    const runId = await findRun(core, words.run ?? '');
    if (!runId.ok) return runId;
    return handle(value, { ...request, gate: { runId: runId.value, gateId: gateId.value } });
  });

const answerSchema = gateAnswerSchema.unwrap().strict();

/** `shown`: what was shown of its changes; the answer is refused if they are different now. */
const answerBody = gateAnswerSchema
  .unwrap()
  .strict()
  .extend({ shown: z.array(z.string()).optional() });

const answerGate = atGate('body', answerBody, ({ shown, ...answer }, { core, gate }) =>
  respond(callCore(core, 'gate.resolve', { ...gate, answer, shown, by: BY })),
);

const alikeSchema = z.strictObject({
  gates: z
    .array(z.strictObject({ runId: z.number().int(), gateId: z.number().int() }))
    .min(1)
    .max(1000),
  answer: answerSchema,
});

/**
 * Gives questions of one cause the same answer; gates that could not be answered are listed with the reason.
 */
const answerAlike = given('body', alikeSchema, (alike, { core }) =>
  respond(callCore(core, 'gate.resolveAlike', { ...alike, by: BY })),
);

const snoozeSchema = z.strictObject({ until: z.number().int().nonnegative().nullable() });

/** `until`: milliseconds since 1970, or null to end the snooze now. */
const snoozeGate = atGate('body', snoozeSchema, ({ until }, { core, gate }) =>
  respond(callCore(core, 'gate.snooze', { ...gate, until })),
);

/** The previous answer to the same question; `before` is null if there was none. */
const askedBefore = atGate('query', z.unknown(), (_, { core, gate }) =>
  respond(callCore(core, 'gate.before', gate)),
);

/** What needs the operator, as in the window and on the command line. */
const listAttention = given('query', nothing, (_, { core }) => respond(callCore(core, 'attention.list', {})));

const seenSchema = z.strictObject({
  upTo: z.number().int().nonnegative(),
  runId: z.number().int().optional(),
});

const markSeen = given('body', seenSchema, (seen, { core }) =>
  respond(callCore(core, 'attention.markSeen', seen), () => ({ body: {} })),
);

export const gateRoutes: readonly Route[] = [
  { method: 'GET', path: '/attention', handle: listAttention },
  { method: 'POST', path: '/attention/seen', handle: markSeen },
  { method: 'GET', path: '/gates', handle: listGates },
  { method: 'POST', path: '/gates/alike', handle: answerAlike },
  { method: 'POST', path: '/gates/:run/:gate', handle: answerGate },
  { method: 'GET', path: '/gates/:run/:gate/before', handle: askedBefore },
  { method: 'POST', path: '/gates/:run/:gate/snooze', handle: snoozeGate },
];
