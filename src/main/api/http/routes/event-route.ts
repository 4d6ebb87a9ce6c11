import type { IncomingMessage, ServerResponse } from 'node:http';
import { LARGEST_NUMBER } from '@contract/bounds';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { z } from 'zod';
import { STREAM_FAREWELL_MS } from '../../../limits/core';
import type { CoreService } from '../../core-service';
import { EventStream, type StreamTarget, streamDefaults } from '../event-stream';
import { badRequest, type Fault } from '../fault';
import { callCore, findRun, number, parse } from '../route';

const querySchema = z.strictObject({ after: number.optional(), run: z.string().optional() });

interface StreamRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: unknown;
  readonly allowed: () => boolean;
  readonly patienceMs?: number;
}

/** Opens the requested stream: after a given id, else from now on. */
export async function openEventStream(
  core: CoreService,
  { request, response, query, allowed, patienceMs = streamDefaults.patienceMs }: StreamRequest,
): Promise<Result<EventStream, Fault>> {
  const given = parse(querySchema, query);
  if (!given.ok) return given;
  const header = parse(number.optional(), request.headers['last-event-id'] || undefined);
  if (!header.ok) return err(badRequest('Last-Event-ID is the id of an event, a number'));
  const run = given.value.run === undefined ? ok(undefined) : await findRun(core, given.value.run);
  if (!run.ok) return run;
  const newest = await callCore(core, 'event.page', { afterId: LARGEST_NUMBER, limit: 1 });
  if (!newest.ok) return newest;
  const { lastId } = newest.value;
  // A reconnecting reader repeats its first address: the last id it received takes precedence.
  const after = header.value ?? given.value.after ?? lastId;
  if (after > lastId) {
    return err(
      badRequest(`there is no event ${after} yet; the last one is ${lastId}`, {
        mend: 'the id comes from another database',
      }),
    );
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const stream = new EventStream(core, targetOf(response), {
    ...streamDefaults,
    after,
    allowed,
    patienceMs,
    runId: run.value,
  });
  response.on('close', () => stream.stop());
  return ok(stream);
}

function targetOf(response: ServerResponse): StreamTarget {
  return {
    write: (text) => response.write(text),
    drained: () =>
      new Promise((resolve) => {
        if (!response.writableNeedDrain || response.destroyed) return resolve();
        const done = (): void => {
          response.off('drain', done).off('close', done);
          resolve();
        };
        response.on('drain', done).on('close', done);
      }),
    end: (text) => {
      response.end(text);
      setTimeout(() => response.destroy(), STREAM_FAREWELL_MS).unref();
    },
  };
}

export const stopping = appError('unavailable', 'this Muster is shutting down', {
  mend: 'connect again with Last-Event-ID',
});
