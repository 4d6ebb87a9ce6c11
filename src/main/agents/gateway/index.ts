import { fail, ok } from '@contract/result';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { AgentPort, Clock } from '../../core/ports/ports';
import { readEndpoint } from './endpoint';

export interface GatewayParts {
  /**
   * A secret's value, or null if not set. Read for each turn, so that a corrected key takes effect at once.
   */
  readonly secret: (name: string) => string | null;
  readonly clock: Clock;
  readonly files: Pick<WorkspaceFiles, 'readBytes'>;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Models at an OpenAI-compatible or Anthropic-compatible address: no workspace; Muster keeps the
 * conversation.
 */
export function createGatewayAgent(parts: GatewayParts): AgentPort {
  const { secret, clock, files, fetch = globalThis.fetch } = parts;
  return {
    kind: 'gateway',
    async open(spec, listener) {
      const { profile } = spec;
      if (profile.kind !== 'gateway' || profile.api === 'openclaw') {
        return fail('internal', `the profile ${profile.id} is not a model over HTTP`);
      }
      const endpoint = readEndpoint(profile, spec.model, secret);
      if (!endpoint.ok) return endpoint;
      // The SDK loads slowly, so it is loaded only when a gateway is used.
      const { GatewaySession } = await import('./session');
      return ok(new GatewaySession({ spec, listener, endpoint: endpoint.value, clock, files, fetch }));
    },
  };
}
