import { join } from 'node:path';
import { sandboxOf } from '@areas/agents/contract/permission-capabilities';
import { err, fail, ok } from '@contract/result';
import { z } from 'zod';
import type { LogFiles } from '../../core/ports/log-files';
import type { AgentPort, Clock } from '../../core/ports/ports';
import type { Processes } from '../../core/ports/programs/process';
import { ownFolders } from '../own-folders';
import type { RepositoryFiles } from '../worktree-repository';
import { cannotAsk } from './arguments';
import { ExecSession } from './session';

export interface ExecDependencies {
  readonly processes: Pick<Processes, 'launch' | 'find'>;
  readonly logFiles: LogFiles;
  readonly files: RepositoryFiles;
  readonly clock: Pick<Clock, 'now'>;
}

const keptSchema = z.object({ thread: z.string() });

/**
 * Codex as the worker of a loop, or of any step: one process per turn, events as JSON, no terminal, no
 * questions.
 */
export function createCodexExecAgent({ processes, logFiles, files, clock }: ExecDependencies): AgentPort {
  return {
    kind: 'cli',
    async open(spec, listener) {
      const { profile } = spec;
      if (profile.kind !== 'cli') return fail('internal', `${profile.id} is not of kind cli.`);
      const { command, name } = profile;
      const found = await processes.find(command, { path: profile.env.PATH ?? spec.env.PATH, cwd: spec.cwd });
      if (found === null) {
        return fail('agent.not_installed', `${command} is not installed, or not on PATH.`, {
          mend: 'Install it with: npm install --global @openai/codex',
        });
      }
      if (sandboxOf(profile, spec.mode) === null)
        return err(cannotAsk(name, { ownCheckout: spec.cwd === spec.projectPath }));
      const recordPath = join(spec.artifactsDir, 'sessions', `s${spec.sessionId}.codex.json`);
      const thread = spec.resume === null ? null : threadOf(await logFiles.readText(recordPath));
      const ready = {
        providerSessionId: thread,
        agent: name,
        capabilities: { resume: true, cancel: true, permissions: false, images: false, embeddedFiles: false },
        fresh: thread === null,
        notice:
          spec.resume !== null && thread === null
            ? 'The agent starts a new conversation: it knows nothing of the earlier one.'
            : null,
      };
      const folders = await ownFolders(spec, files);
      const keepThread = async (id: string): Promise<void> => {
        await logFiles.writeText(recordPath, JSON.stringify({ thread: id }));
      };
      return ok(
        new ExecSession({
          spec,
          profile,
          listener,
          ready,
          processes,
          files: logFiles,
          folders,
          thread,
          keepThread,
          now: () => clock.now(),
        }),
      );
    },
  };
}

function threadOf(text: string | null): string | null {
  if (text === null) return null;
  try {
    return keptSchema.parse(JSON.parse(text)).thread;
  } catch {
    return null;
  }
}
