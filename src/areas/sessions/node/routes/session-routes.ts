import { newKeySchema } from '@contract/ids';
import { ownValue } from '@contract/own';
import { err } from '@contract/result';
import type { CoreCalls } from '@main/api/core-service';
import { badRequest } from '@main/api/http/fault';
import {
  type Answered,
  callCore,
  findRun,
  given,
  nothing,
  number,
  parse,
  type Route,
  respond,
} from '@main/api/http/route';
import { z } from 'zod';

const listQuery = z.strictObject({ limit: number.min(1).max(100).default(40) });

const listSessions = given('query', listQuery, (page, { core }) =>
  respond(callCore(core, 'session.list', page), (runs) => ({ body: { runs } })),
);

/** A handler whose path names a run, and with `word` a part of it. */
const at = <S extends z.ZodType>(
  word: 'session' | 'prompt',
  schema: S,
  handle: (wish: z.output<S>, place: { core: CoreCalls; runId: number; id: number }) => Answered,
): Route['handle'] =>
  given('body', schema, async (wish, { core, words }) => {
    const named = ownValue(words, word);
    const id = parse(number.min(1), named);
    if (!id.ok) return err(badRequest(`"${named ?? ''}" is no ${word}`));
    const runId = await findRun(core, words.run ?? '');
    return runId.ok ? handle(wish, { core, runId: runId.value, id: id.value }) : runId;
  });

const promptSchema = z.strictObject({
  key: newKeySchema,
  text: z.string().trim().min(1),
  attachments: z.array(z.string()).default([]),
});

/** Queues the operator's prompt, which is sent when the session is free. */
const prompt = at('session', promptSchema, (wish, { core, runId, id: sessionId }) =>
  respond(callCore(core, 'session.prompt', { runId, sessionId, ...wish }), (body) => ({ status: 202, body })),
);

const acts = (act: 'session.cancelTurn' | 'session.park') =>
  at('session', nothing, (_, { core, runId, id: sessionId }) =>
    respond(callCore(core, act, { runId, sessionId }), () => ({ status: 202, body: { runId, sessionId } })),
  );

const withdraw = at('prompt', nothing, (_, { core, runId, id: promptId }) =>
  respond(callCore(core, 'session.withdrawPrompt', { runId, promptId }), () => ({
    body: { runId, promptId },
  })),
);

export const sessionRoutes: readonly Route[] = [
  { method: 'GET', path: '/sessions', handle: listSessions },
  { method: 'POST', path: '/runs/:run/sessions/:session/prompt', handle: prompt },
  { method: 'POST', path: '/runs/:run/sessions/:session/interrupt', handle: acts('session.cancelTurn') },
  { method: 'POST', path: '/runs/:run/sessions/:session/park', handle: acts('session.park') },
  { method: 'POST', path: '/runs/:run/prompts/:prompt/withdraw', handle: withdraw },
];
