import { appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@contract/workflow/definition';
import type { Engine } from '@main/core/engine/engine';
import type { RunTexts } from '@main/core/ports/run-texts';
import type { RunService } from '@main/services/run-service';

export interface RlmServiceParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly runs: Pick<RunService, 'startDefinition'>;
  readonly texts: Pick<RunTexts, 'read'>;
  state(runId: number): RunState | null;
}

/** Questions over documents that the operator asks outside of a workflow. */
export class RlmService {
  constructor(private readonly parts: RlmServiceParts) {}

  /** A workflow of one step, made here: it stands in no file. */
  start(input: ParsedInput<'rlm.start'>): Promise<Result<{ runId: number }>> {
    const { uid, projectId, startedBy } = input;
    return this.parts.runs.startDefinition({ uid, projectId, definition: rlmDefinition(input), startedBy });
  }

  async interrupt({ runId, by }: ParsedInput<'rlm.interrupt'>): Promise<Result<Record<string, never>>> {
    const done = await this.parts.engine.command(runId, ({ state }) => {
      const working = Object.values(state.rlm).filter(({ blocks }) => blocks.at(-1)?.end === null);
      if (working.length === 0)
        return err(
          appError('conflict', 'No block runs that could be interrupted.', {
            mend: 'to end the whole run, use `muster cancel RUN`',
          }),
        );
      return ok(working.map(({ activationId }) => ({ type: 'rlm.interrupt-requested', activationId, by })));
    });
    return done.ok ? ok({}) : done;
  }

  async text({ runId, path }: ParsedInput<'rlm.text'>): Promise<Result<ProcedureOutput<'rlm.text'>>> {
    const state = this.parts.state(runId);
    if (state === null) return err(appError('not_found', `there is no run ${runId}`));
    const text = await this.parts.texts.read(state.artifactsDir, path);
    return text.ok ? ok({ text: text.value }) : text;
  }
}

const NAME_CHARS = 80;

export function rlmDefinition(input: ParsedInput<'rlm.start'>): WorkflowDefinition {
  const { question, documents, root, sub, iterations, subcalls, blockSeconds, tokens } = input;
  const agent = ({ profile, model }: typeof root) => ({
    acp_profile_id: profile,
    agent_config: model === null ? null : { model },
  });
  const title = question.replace(/\s+/g, ' ').slice(0, NAME_CHARS);
  return workflowDefinitionSchema.parse({
    name: `Question: ${title}`,
    workspace: 'folder',
    ...(tokens === null ? {} : { budget: { tokens } }),
    steps: [
      {
        ...{ id: 'question', type: 'step.rlm', title },
        config: {
          ...{ question, documents, ...agent(root) },
          sub_model: sub === null ? null : agent(sub),
          limits: {
            ...(iterations === undefined ? {} : { iterations }),
            ...(subcalls === undefined ? {} : { subcalls }),
            ...(blockSeconds === undefined ? {} : { block_seconds: blockSeconds }),
          },
          allow_weak_sandbox: input.allowWeakSandbox,
        },
      },
    ],
  });
}
