import { fail } from '@contract/result';
import type { AgentPort } from '../../core/ports/ports';
import type { OpenAcp } from '../../core/ports/programs/acp';

export { type AcpDependencies, createOpenAcp } from './open';

/** Agents of kind `acp`: a command that speaks the protocol over standard streams. */
export function createAcpAgent({ openAcp }: { readonly openAcp: OpenAcp }): AgentPort {
  return {
    kind: 'acp',
    async open(spec, listener) {
      const { profile } = spec;
      if (profile.kind !== 'acp') return fail('internal', `${profile.id} is not of kind acp.`);
      return openAcp(
        {
          command: profile.command,
          args: profile.args,
          env: {},
          mcpServers: profile.mcp_servers,
          loginCommand: profile.login_command ?? null,
          install: `Install ${profile.command}, or give its full path in the agent profile ${profile.id}.`,
          label: null,
        },
        spec,
        listener,
      );
    },
  };
}
