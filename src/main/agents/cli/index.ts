import { fail } from '@contract/result';
import type { AgentPort } from '../../core/ports/ports';
import { type CliDependencies, Opening } from './open';

/**
 * Agents of kind `cli`: a program with a prompt in its own terminal, which the operator can watch and type
 * into. It survives the core.
 */
export function createCliAgent(deps: CliDependencies): Required<AgentPort> {
  return {
    kind: 'cli',
    async open(spec, listener) {
      const { profile } = spec;
      if (profile.kind !== 'cli') return fail('internal', `${profile.id} is not of kind cli.`);
      return new Opening(deps, { spec, profile, listener }).open();
    },
    async reattach(spec, past, listener) {
      const { profile } = spec;
      if (profile.kind !== 'cli') return fail('internal', `${profile.id} is not of kind cli.`);
      return new Opening(deps, { spec, profile, listener }).reattach(past);
    },
  };
}
