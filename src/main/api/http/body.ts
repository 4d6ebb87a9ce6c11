import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '@contract/result';
import { HTTP_BODY_BYTES } from '../../limits/core-sizes';
import { badRequest, type Fault } from './fault';

const tooLong = (limit: number): Fault =>
  badRequest(`the body is longer than ${limit / 1024} KiB`, {
    status: 413,
    headers: { connection: 'close' },
  });

/** A request's JSON; a missing body is an empty object. */
export async function readBody(
  request: IncomingMessage,
  limit = HTTP_BODY_BYTES,
): Promise<Result<unknown, Fault>> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return err(tooLong(limit));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) return err(tooLong(limit));
      chunks.push(chunk);
    }
  } catch {
    return err(badRequest('the body was cut off'));
  }
  if (bytes === 0) return ok({});
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return err(
      badRequest('the body must be JSON', { status: 415, mend: 'send "Content-Type: application/json"' }),
    );
  }
  try {
    return ok(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch (cause) {
    return err(badRequest(`the body is not JSON: ${cause instanceof Error ? cause.message : ''}`));
  }
}
