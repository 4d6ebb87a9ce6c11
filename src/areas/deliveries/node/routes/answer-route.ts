import { err, ok } from '@contract/result';
import { type Answered, callCore, parse, type Route, type RouteRequest } from '@main/api/http/route';
import { z } from 'zod';
import { answerInputSchema } from '../../contract/answer';

/** Escaped characters of text and reason take up to six bytes each. */
const BODY_LIMIT = 128 * 1024;

/** Answers one question with the token from its delivery. The token is the authorisation. */
async function giveAnswer({ core, query, body }: RouteRequest): Answered {
  const none = parse(z.strictObject({}), query);
  if (!none.ok) return none;
  const given = parse(answerInputSchema, body);
  if (!given.ok) return given;
  const reply = await callCore(core, 'delivery.answer', given.value);
  if (reply.ok) return ok({ body: reply.value });
  const busy = reply.error.error.code === 'answer.too_many';
  return err({ ...reply.error, ...(busy && { headers: { 'retry-after': '60' } }) });
}

export const answerRoute: Route = {
  method: 'POST',
  path: '/answers',
  handle: giveAnswer,
  needsToken: false,
  bodyLimit: BODY_LIMIT,
};
