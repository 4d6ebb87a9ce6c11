import { fail, ok, type Result } from '@contract/result';
import { ENDPOINT_MS } from '@main/limits/core';
import { z } from 'zod';
import type { HttpGatewayProfile } from '../contract/profile';

const MOST_SHOWN = 8;

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

interface Reached {
  /** The models that the server lists, if it does. */
  readonly models: readonly string[];
  readonly detail: string;
}

/** Requests the list of models. Any response shows that a server is there. */
export async function reach(
  profile: HttpGatewayProfile,
  key: string | null,
  fetch: typeof globalThis.fetch,
): Promise<Result<Reached>> {
  const address = profile.base_url.replace(/\/+$/, '');
  try {
    const response = await fetch(`${address}/models`, {
      headers: headersFor(profile, key),
      signal: AbortSignal.timeout(ENDPOINT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    const parsed = modelsSchema.safeParse(body);
    const models = parsed.success ? parsed.data.data.map(({ id }) => id) : [];
    const answer = models.length === 0 ? `HTTP ${response.status}` : listed(models);
    return ok({ models, detail: `${address}: ${answer}` });
  } catch (error) {
    const mend = `start the server, or correct base_url in the profile ${profile.id}`;
    return fail('agent.failed', `${address} cannot be reached: ${reasonOf(error)}`, { mend });
  }
}

function headersFor({ api }: HttpGatewayProfile, key: string | null): Record<string, string> {
  if (api === 'openai') return key === null ? {} : { authorization: `Bearer ${key}` };
  return { 'anthropic-version': '2023-06-01', ...(key === null ? {} : { 'x-api-key': key }) };
}

export const listed = (models: readonly string[]): string =>
  models.length > MOST_SHOWN
    ? `${models.slice(0, MOST_SHOWN).join(', ')} and ${models.length - MOST_SHOWN} more`
    : models.join(', ');

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${ENDPOINT_MS / 1000} s`;
  const { cause } = error;
  if (cause instanceof Error) return cause.message || ('code' in cause ? String(cause.code) : cause.name);
  return error.message;
}
