import { newKeySchema } from '@contract/ids';
import { own } from '@contract/own';
import { err, ok } from '@contract/result';
import { z } from 'zod';
import { badRequest } from './fault';
import { type Answered, type Asked, asked, findRun, number, parse, type Route } from './route';

async function listSessions({ core, query }: Asked): Answered {
  const given = parse(z.strictObject({ limit: number.min(1).max(100).default(40) }), query);
  if (!given.ok) return given;
  const runs = await asked(core, 'session.list', given.value);
  return runs.ok ? ok({ body: { runs: runs.value } }) : runs;
}

/** The run and the number that a path names, and a body of this shape. */
async function placeOf<S extends z.ZodType>({ core, words, body }: Asked, word: string, shape: S) {
  const given = parse(shape, body);
  if (!given.ok) return given;
  const named = own(words, word);
  const id = parse(number.min(1), named);
  if (!id.ok) return err(badRequest(`"${named ?? ''}" is no ${word}`));
  const runId = await findRun(core, words.run ?? '');
  return runId.ok ? ok({ runId: runId.value, id: id.value, wish: given.value }) : runId;
}

const promptSchema = z.strictObject({
  key: newKeySchema,
  text: z.string().trim().min(1),
  attachments: z.array(z.string()).default([]),
});

/** Queues a prompt of the operator's, which is sent when the session is free. */
async function prompt(given: Asked): Answered {
  const place = await placeOf(given, 'session', promptSchema);
  if (!place.ok) return place;
  const { runId, id: sessionId, wish } = place.value;
  const queued = await asked(given.core, 'session.prompt', { runId, sessionId, ...wish });
  return queued.ok ? ok({ status: 202, body: queued.value }) : queued;
}

const acts = (act: 'session.cancelTurn' | 'session.park') => async (given: Asked) => {
  const place = await placeOf(given, 'session', z.strictObject({}));
  if (!place.ok) return place;
  const { runId, id: sessionId } = place.value;
  const done = await asked(given.core, act, { runId, sessionId });
  return done.ok ? ok({ status: 202, body: { runId, sessionId } }) : done;
};

async function withdraw(given: Asked): Answered {
  const place = await placeOf(given, 'prompt', z.strictObject({}));
  if (!place.ok) return place;
  const { runId, id: promptId } = place.value;
  const done = await asked(given.core, 'session.withdrawPrompt', { runId, promptId });
  return done.ok ? ok({ body: { runId, promptId } }) : done;
}

export const sessionRoutes: readonly Route[] = [
  { method: 'GET', path: '/sessions', handle: listSessions },
  { method: 'POST', path: '/runs/:run/sessions/:session/prompt', handle: prompt },
  { method: 'POST', path: '/runs/:run/sessions/:session/interrupt', handle: acts('session.cancelTurn') },
  { method: 'POST', path: '/runs/:run/sessions/:session/park', handle: acts('session.park') },
  { method: 'POST', path: '/runs/:run/prompts/:prompt/withdraw', handle: withdraw },
];
