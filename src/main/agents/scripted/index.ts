import { isAbsolute, join, resolve } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { AgentPort, SessionSpec } from '../../core/ports/ports';
import type { OpenAcp } from '../../core/ports/programs/acp';
import type { ScriptRuntime } from '../../core/ports/programs/process';

export interface ScriptedDependencies {
  readonly openAcp: OpenAcp;
  readonly files: Pick<WorkspaceFiles, 'isFile'>;
  readonly runtime: ScriptRuntime;
  /** The agent's bundle: out/main/scripted-agent.js. */
  readonly entry: string;
  /** Muster's own scripts. */
  readonly scriptsDir: string;
}

/**
 * Agents of kind `scripted`: their replies come from a file. Each is a real agent process that uses the
 * protocol.
 */
export function createScriptedAgent(deps: ScriptedDependencies): AgentPort {
  return {
    kind: 'scripted',
    async open(spec, listener) {
      const { profile } = spec;
      if (profile.kind !== 'scripted') {
        return fail('internal', `${profile.id} is not of kind scripted.`);
      }
      const script = await findScript(profile.script, spec, deps);
      if (!script.ok) return script;
      const launch = {
        command: deps.runtime.execPath,
        args: [deps.entry],
        env: { ...deps.runtime.env, ...settings(script.value, spec) },
        mcpServers: [],
        loginCommand: null,
        install: 'It is part of Muster: reinstall Muster.',
        label: profile.name,
        inOrder: true,
      };
      return deps.openAcp(launch, spec, listener);
    },
  };
}

/** Defaults: the profile's own environment may override the paths. */
function settings(script: string, spec: SessionSpec): Record<string, string> {
  return {
    MUSTER_SCRIPTED_SCRIPT: script,
    MUSTER_SCRIPTED_STATE: join(spec.artifactsDir, 'scripted-sessions'),
    MUSTER_SCRIPTED_RECORD: join(spec.artifactsDir, 'scripted-prompts.jsonl'),
    ...(spec.ownCheckout === true ? { MUSTER_SCRIPTED_ASKS: '1' } : {}),
  };
}

async function findScript(
  script: string,
  spec: SessionSpec,
  { files, scriptsDir }: ScriptedDependencies,
): Promise<Result<string>> {
  const candidates = isAbsolute(script)
    ? [script]
    : [resolve(spec.projectPath, script), resolve(scriptsDir, script), resolve(scriptsDir, `${script}.yaml`)];
  for (const candidate of candidates) if (await files.isFile(candidate)) return ok(candidate);
  return fail(
    'validation.file_missing',
    `The script ${script} of the agent ${spec.profile.id} was not found.`,
    {
      where: { file: candidates[0] },
      mend: 'Give an absolute path, one inside the project, or the name of a built-in script.',
    },
  );
}
