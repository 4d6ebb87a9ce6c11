import { appError } from '@contract/errors';
import { gateOrigin } from '@contract/gate/asker';
import { gateAnswerSchema } from '@contract/gate/gate';
import { err, ok } from '@contract/result';
import { z } from 'zod';
import { faultOf } from './fault';
import { type Answered, type Asked, asked, BY, findRun, number, parse, type Route } from './route';

async function listGates({ core, query }: Asked): Answered {
  const given = parse(
    z.strictObject({
      status: z.enum(['open', 'closed']).default('open'),
      limit: number.min(1).max(1000).default(200),
      run: number.optional(),
      after: z
        .string()
        .regex(/^\d+\.\d+$/, 'give the `next` of the page before')
        .optional(),
    }),
    query,
  );
  if (!given.ok) return given;
  const { status, limit, run: runId, after } = given.value;
  const [at = 0, event = 0] = (after ?? '').split('.').map(Number);
  const place = after === undefined ? {} : { after: { at, event } };
  const gates = await asked(core, 'gate.list', { status, limit, runId, ...place });
  if (!gates.ok) return gates;
  const last = gates.value.length < limit ? undefined : gates.value.at(-1);
  const time = last?.status === 'open' ? last.openedAt : last?.closedAt;
  const next = last?.event === undefined ? null : `${time ?? 0}.${last.event}`;
  return ok({ body: { gates: gates.value.map((gate) => ({ ...gate, origin: gateOrigin(gate) })), next } });
}

async function answerGate({ core, words, body }: Asked): Answered {
  const answer = parse(gateAnswerSchema.unwrap().strict(), body);
  if (!answer.ok) return answer;
  const gateId = parse(number, words.gate);
  if (!gateId.ok) return err(faultOf(appError('not_found', `there is no gate "${words.gate ?? ''}"`)));
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const row = await asked(core, 'gate.resolve', {
    runId: runId.value,
    gateId: gateId.value,
    answer: answer.value,
    by: BY,
  });
  return row.ok ? ok({ body: row.value }) : row;
}

/** Answers questions of one cause alike; those that could not be answered are named with the reason. */
async function answerAlike({ core, body }: Asked): Answered {
  const given = parse(
    z.strictObject({
      gates: z
        .array(z.strictObject({ runId: z.number().int(), gateId: z.number().int() }))
        .min(1)
        .max(1000),
      answer: gateAnswerSchema.unwrap().strict(),
    }),
    body,
  );
  if (!given.ok) return given;
  const done = await asked(core, 'gate.resolveAlike', { ...given.value, by: BY });
  return done.ok ? ok({ body: done.value }) : done;
}

/** `until`: milliseconds since 1970, or null to ask again now. */
async function snoozeGate({ core, words, body }: Asked): Answered {
  const given = parse(z.strictObject({ until: z.number().int().nonnegative().nullable() }), body);
  if (!given.ok) return given;
  const gateId = parse(number, words.gate);
  if (!gateId.ok) return err(faultOf(appError('not_found', `there is no gate "${words.gate ?? ''}"`)));
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const place = { runId: runId.value, gateId: gateId.value, until: given.value.until };
  const row = await asked(core, 'gate.snooze', place);
  return row.ok ? ok({ body: row.value }) : row;
}

/** What was said when the same question was asked the last time; `before` is null where it was not. */
async function askedBefore({ core, words }: Asked): Answered {
  const gateId = parse(number, words.gate);
  if (!gateId.ok) return err(faultOf(appError('not_found', `there is no gate "${words.gate ?? ''}"`)));
  const runId = await findRun(core, words.run ?? '');
  if (!runId.ok) return runId;
  const told = await asked(core, 'gate.before', { runId: runId.value, gateId: gateId.value });
  return told.ok ? ok({ body: told.value }) : told;
}

/** What needs the operator, as the window and the command line show it. */
async function listAttention({ core, query }: Asked): Answered {
  const given = parse(z.strictObject({}), query);
  if (!given.ok) return given;
  const listed = await asked(core, 'attention.list', {});
  return listed.ok ? ok({ body: listed.value }) : listed;
}

async function markSeen({ core, body }: Asked): Answered {
  const given = parse(
    z.strictObject({ upTo: z.number().int().nonnegative(), runId: z.number().int().optional() }),
    body,
  );
  if (!given.ok) return given;
  const done = await asked(core, 'attention.markSeen', given.value);
  return done.ok ? ok({ body: {} }) : done;
}

export const gateRoutes: readonly Route[] = [
  { method: 'GET', path: '/attention', handle: listAttention },
  { method: 'POST', path: '/attention/seen', handle: markSeen },
  { method: 'GET', path: '/gates', handle: listGates },
  { method: 'POST', path: '/gates/alike', handle: answerAlike },
  { method: 'POST', path: '/gates/:run/:gate', handle: answerGate },
  { method: 'GET', path: '/gates/:run/:gate/before', handle: askedBefore },
  { method: 'POST', path: '/gates/:run/:gate/snooze', handle: snoozeGate },
];
