import { messageOf } from '@contract/error-message';
import { ownValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import { FORGE_REQUEST_MS } from '../../contract/limits';
import { forgeFailure } from '../../core/failure';

export interface GithubParts {
  readonly host: string;
  readonly api: string;
  readonly token: string;
  now(): number;
  /** The forge takes no requests before this many milliseconds. */
  held(ms: number): void;
  /** The forge does not accept the token. */
  refused(): void;
}

type Params = Record<string, unknown>;

/** As octokit throws it; `response` is absent if none arrived. */
const thrownSchema = z.object({
  status: z.number(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.unknown()), data: z.unknown() }).optional(),
});
const saidSchema = z.object({
  message: z.string(),
  errors: z
    .array(
      z.union([
        z.string(),
        z.looseObject({
          message: z.string().optional(),
          field: z.string().optional(),
          code: z.string().optional(),
        }),
      ]),
    )
    .optional(),
});

interface Kept {
  readonly etag: string;
  readonly data: unknown;
}

const MOST_KEPT = 200;

/** Requests to GitHub. Loads octokit with the first one: a start reads nothing of it. */
export class GithubRequests {
  #octokit: Promise<Octokit> | null = null;
  /** The last answers with an ETag, by address: an unchanged one costs no rate limit and no transfer. */
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly parts: GithubParts) {}

  async get<T>(schema: z.ZodType<T>, route: string, params: Params = {}): Promise<Result<T>> {
    const key = `${route} ${JSON.stringify(params)}`;
    const kept = this.#kept.get(key);
    const headers = kept === undefined ? {} : { 'if-none-match': kept.etag };
    const answer = await this.#request(`GET ${route}`, { ...params, headers });
    if (!answer.ok) return answer;
    if (answer.value === 'unchanged') return parsed(schema, kept?.data, this.parts.host);
    const { etag, data } = answer.value;
    if (etag !== null) {
      this.#kept.delete(key);
      this.#kept.set(key, { etag, data });
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    }
    return parsed(schema, data, this.parts.host);
  }

  async send<T>(schema: z.ZodType<T>, route: string, params: Params): Promise<Result<T>> {
    const answer = await this.#request(route, params);
    if (!answer.ok) return answer;
    return parsed(schema, answer.value === 'unchanged' ? null : answer.value.data, this.parts.host);
  }

  /** The end of a text that may be large. */
  async tail(route: string, params: Params, chars: number): Promise<Result<string>> {
    const answer = await this.#request(`GET ${route}`, {
      ...params,
      request: { parseSuccessResponseBody: false },
    });
    if (!answer.ok) return answer;
    if (answer.value === 'unchanged') return ok('');
    const { data } = answer.value;
    if (!(data instanceof ReadableStream)) return ok(String(data).slice(-chars));
    let end = '';
    try {
      const decoder = new TextDecoder();
      for await (const bytes of data) end = (end + decoder.decode(bytes, { stream: true })).slice(-chars);
      return ok(end);
    } catch (cause) {
      return fail('forge.unreachable', `${this.parts.host} stopped sending the log: ${messageOf(cause)}`);
    }
  }

  async #request(
    route: string,
    { request = {}, ...params }: Params,
  ): Promise<Result<'unchanged' | { readonly etag: string | null; readonly data: unknown }>> {
    const { host, now, held, refused } = this.parts;
    try {
      const octokit = await this.#open();
      const signal = AbortSignal.timeout(FORGE_REQUEST_MS);
      const { headers, data } = await octokit.request(route, {
        ...params,
        request: { ...(request as object), signal },
      });
      return ok({ etag: headers.etag ?? null, data });
    } catch (cause) {
      const thrown = thrownSchema.safeParse(plain(cause));
      if (!thrown.success)
        return err(
          forgeFailure({ status: null, message: messageOf(cause), header: () => null }, { host, now: now() })
            .error,
        );
      const { status, message, response } = thrown.data;
      if (response !== undefined && status === 304) return ok('unchanged');
      const failure = forgeFailure(
        {
          status: response === undefined ? null : status,
          message: saidBy(response?.data) ?? message,
          header: (name) => {
            const value = response === undefined ? undefined : ownValue(response.headers, name);
            return value === undefined ? null : String(value);
          },
        },
        { host, now: now() },
      );
      if (failure.error.code === 'forge.limit') held(failure.afterMs ?? 0);
      if (failure.error.code === 'forge.login') refused();
      return err(failure.error);
    }
  }

  #open(): Promise<Octokit> {
    const { api, token } = this.parts;
    this.#octokit ??= import('@octokit/rest').then(
      ({ Octokit: Client }) =>
        new Client({
          auth: token,
          baseUrl: api,
          userAgent: 'muster',
          log: { debug() {}, info() {}, warn() {}, error() {} },
        }),
    );
    return this.#octokit;
  }
}

/** An error's own fields, which a schema does not see behind its getters. */
const plain = (cause: unknown): unknown =>
  cause instanceof Error
    ? {
        message: cause.message,
        status: Reflect.get(cause, 'status'),
        response: Reflect.get(cause, 'response'),
      }
    : cause;

function saidBy(data: unknown): string | null {
  const said = saidSchema.safeParse(data);
  if (!said.success) return null;
  const { message, errors = [] } = said.data;
  const details = errors.map((one) =>
    typeof one === 'string' ? one : (one.message ?? [one.field, one.code].filter(Boolean).join(' ')),
  );
  return [message, ...details].filter(Boolean).join(': ');
}

function parsed<T>(schema: z.ZodType<T>, data: unknown, host: string): Result<T> {
  const read = schema.safeParse(data);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return fail(
    'forge.failed',
    `${host} answered in an unknown form (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}).`,
  );
}
