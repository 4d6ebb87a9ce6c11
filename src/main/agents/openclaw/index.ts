import { fail, ok } from '@contract/result';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { AgentPort, Clock, Logger } from '../../core/ports/ports';
import { defaultLimits, type OpenclawLimits } from './limits';
import { readPlace } from './place';

export interface OpenclawParts {
  /** A secret's value, or null if not set. Read for each connection. */
  readonly secret: (name: string) => string | null;
  readonly clock: Clock;
  readonly files: Pick<WorkspaceFiles, 'readBytes'>;
  readonly logger: Logger;
  readonly limits?: OpenclawLimits;
}

/** Agents behind an OpenClaw Gateway, which keeps the conversation, tools and memory. */
export function createOpenclawAgent(parts: OpenclawParts): AgentPort {
  return {
    kind: 'gateway',
    async open(spec, listener) {
      const { profile } = spec;
      if (profile.kind !== 'gateway' || profile.api !== 'openclaw') {
        return fail('internal', `the profile ${profile.id} is no OpenClaw gateway`);
      }
      const place = readPlace(profile, parts.secret);
      if (!place.ok) return place;
      // The socket package is loaded only when such a gateway is used.
      const { openSession } = await import('./open');
      const limits = parts.limits ?? defaultLimits;
      const session = await openSession({ ...parts, spec, listener, place: place.value, limits });
      return session.ok ? ok(session.value) : session;
    },
  };
}
