import { appError } from '@contract/errors';
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
    }),
    query,
  );
  if (!given.ok) return given;
  const gates = await asked(core, 'gate.list', given.value);
  return gates.ok ? ok({ body: { gates: gates.value } }) : gates;
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

export const gateRoutes: readonly Route[] = [
  { method: 'GET', path: '/gates', handle: listGates },
  { method: 'POST', path: '/gates/:run/:gate', handle: answerGate },
];
