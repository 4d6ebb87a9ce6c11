import { APICallError, StreamProviderError } from 'ai';
import { z } from 'zod';
import type { Headers } from './reset-time';

const LONGEST_MESSAGE = 600;

/** A failure, extracted once from whatever the SDK threw or streamed. */
export interface Trouble {
  /** The HTTP status; null without a response, or if the error came within a stream. */
  readonly status: number | null;
  /** The provider's error type and code. */
  readonly types: readonly string[];
  readonly message: string;
  readonly headers: Headers;
  /** The server reported it; otherwise the SDK could not parse the response. */
  readonly reported: boolean;
  /** The error code of the operating system or HTTP client, such as ECONNREFUSED. */
  readonly network: string | null;
  /** The connection was lost after the server had started to answer. */
  readonly broken: boolean;
}

/** Node's HTTP client gives up after five minutes without a byte. */
export const CLIENT_TIMEOUTS = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

const detailSchema = z.looseObject({
  message: z.string().optional(),
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
});

/**
 * Errors in servers' formats: `{error: {message, type, code}}`, `{error: "text"}`, `{message}`, `{detail}`.
 */
const bodySchema = z.looseObject({
  error: z.union([z.string(), detailSchema]).optional(),
  message: z.string().optional(),
  detail: z.string().optional(),
});

interface ErrorBody {
  readonly message: string | null;
  readonly types: readonly string[];
}

function readBody(body: unknown): ErrorBody {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return { message: null, types: [] };
  const { error, message, detail } = parsed.data;
  if (typeof error === 'string') return { message: error, types: [] };
  const types = [error?.type, error?.code].filter((one) => one !== null && one !== undefined).map(String);
  return { message: error?.message ?? message ?? detail ?? null, types };
}

function readText(body: string | undefined): ErrorBody {
  const text = body?.trim() ?? '';
  try {
    return readBody(JSON.parse(text));
  } catch {
    // An HTML page, as sent by proxies, is useless to the operator.
    return { message: text === '' || text.startsWith('<') ? null : text, types: [] };
  }
}

export function readTrouble(error: unknown, key: string | null, began = false): Trouble {
  const found = read(error);
  const broken = began && found.network !== null && !CLIENT_TIMEOUTS.includes(found.network);
  return { ...found, broken, message: clean(found.message, key) };
}

function read(error: unknown): Omit<Trouble, 'broken'> {
  const network = networkCode(error);
  if (APICallError.isInstance(error)) {
    const { statusCode, responseBody, responseHeaders } = error;
    const body = readText(responseBody);
    const status = statusCode ?? null;
    const message = body.message ?? (error.message || `HTTP ${status}`);
    const failure = status !== null && status >= 400;
    return { status, types: body.types, message, headers: responseHeaders ?? {}, reported: failure, network };
  }
  if (StreamProviderError.isInstance(error)) {
    const { type, code, message } = error;
    const types = [type, code].filter((one) => one !== undefined).map(String);
    return { status: null, types, message, headers: {}, reported: true, network };
  }
  const message = error instanceof Error ? error.message : JSON.stringify(error);
  return { status: null, types: [], message: message ?? 'unknown', headers: {}, reported: false, network };
}

/** The client wraps the system's error, possibly several times. */
function networkCode(error: unknown): string | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return null;
}

/** Providers quote the rejected key. */
function clean(message: string, key: string | null): string {
  const safe = key === null || key.length < 4 ? message : message.replaceAll(key, '***');
  return safe.length > LONGEST_MESSAGE ? `${safe.slice(0, LONGEST_MESSAGE)}…` : safe;
}
