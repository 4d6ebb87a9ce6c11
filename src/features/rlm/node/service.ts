import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { LastRuns } from '@areas/runs/node/history/last-runs';
import type { RunService } from '@areas/runs/node/run-service';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { literalText } from '@areas/workflows/core/reference/text';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { clip } from '@contract/text-length';
import type { Engine } from '@main/core/engine/engine';
import { type RunTexts, throughPieces } from '@main/core/ports/run-texts';
import { z } from 'zod';
import { estimateOf } from '../contract/estimate';
import { type QuestionRow, questionRows } from '../contract/summary';
import { limitsShape } from '../core/config';
import { excerptAt } from './excerpt';

interface RlmServiceParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly runs: Pick<RunService, 'startDefinition'>;
  readonly texts: Pick<RunTexts, 'read' | 'pieces' | 'survey'>;
  project(id: number): Pick<ProjectRow, 'path'> | null;
  /** The latest runs, newest first. */
  rows(limit: number): LastRuns;
  state(runId: number): RunState | null;
}

/** Questions that the operator asks outside of a workflow. */
export class RlmService {
  /** Ended runs no longer change: their rows stay valid until the run's own row changes. */
  readonly #ended = new Map<number, { at: number; rows: QuestionRow[] }>();

  constructor(private readonly parts: RlmServiceParts) {}

  list(limit: number): ProcedureOutput<'rlm.list'> {
    const { rows, more } = this.parts.rows(limit);
    return { rows: rows.flatMap((row) => this.#questionsOf(row)), more };
  }

  #questionsOf(run: RunRow): QuestionRow[] {
    const known = this.#ended.get(run.id);
    if (known?.at === run.at) return known.rows;
    const state = this.parts.state(run.id);
    if (state === null) return [];
    const rows = questionRows(state, { runId: run.id, projectName: run.projectName }).reverse();
    if (run.finishedAt !== null) this.#ended.set(run.id, { at: run.at, rows });
    return rows;
  }

  async preview(input: ParsedInput<'rlm.preview'>): Promise<Result<ProcedureOutput<'rlm.preview'>>> {
    const { projectId, question, documents: paths, iterations } = input;
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    const found = await this.parts.texts.survey({ projectPath: project.path, anywhere: true, paths });
    if (!found.ok) return found;
    const files = found.value.filter(({ isText }) => isText).map(({ name, bytes }) => ({ name, bytes }));
    const leftOut = found.value.length - files.length;
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const names = files.slice(0, LISTED).reduce((sum, { name }) => sum + name.length + NAME_FRAME_CHARS, 0);
    const limits = z.strictObject(limitsShape).parse({});
    const estimate = estimateOf({
      openingChars: PROMPT_CHARS + question.length + names,
      continueChars: CONTINUE_CHARS + question.length,
      documentBytes: bytes,
      iterations: iterations ?? limits.iterations,
      outputChars: limits.output_chars,
    });
    return ok({ files: files.slice(0, SHOWN), count: files.length, leftOut, bytes, estimate });
  }

  /** Builds a workflow with a single step, which is in no file. */
  start(input: ParsedInput<'rlm.start'>): Promise<Result<{ runId: number }>> {
    const { uid, projectId, promptFolders, startedBy } = input;
    const definition = rlmDefinition(input);
    return this.parts.runs.startDefinition({ uid, projectId, definition, promptFolders, startedBy });
  }

  async interrupt({ runId, by }: ParsedInput<'rlm.interrupt'>): Promise<Result<Record<string, never>>> {
    const done = await this.parts.engine.command(runId, ({ state }) => {
      const working = Object.values(state.rlm).filter(({ blocks }) => blocks.at(-1)?.end === null);
      if (working.length === 0)
        return fail('conflict', 'No block runs that could be interrupted.', {
          mend: 'to end the whole run, use `muster cancel RUN`',
        });
      return ok(working.map(({ activationId }) => ({ type: 'rlm.interrupt-requested', activationId, by })));
    });
    return done.ok ? ok({}) : done;
  }

  async text(input: ParsedInput<'rlm.text'>): Promise<Result<ProcedureOutput<'rlm.text'>>> {
    const text = await this.#read(input);
    if (!text.ok) return text;
    return ok(input.mostChars === undefined ? { text: text.value } : clip(text.value, input.mostChars));
  }

  async excerpt(input: ParsedInput<'rlm.excerpt'>): Promise<Result<ProcedureOutput<'rlm.excerpt'>>> {
    const state = this.parts.state(input.runId);
    if (state === null) return fail('not_found', `there is no run ${input.runId}`);
    const pieces = this.parts.texts.pieces(state.artifactsDir, input.path);
    return throughPieces(pieces, (texts) => excerptAt(texts, input.line));
  }

  async #read({ runId, path }: { readonly runId: number; readonly path: string }): Promise<Result<string>> {
    const state = this.parts.state(runId);
    if (state === null) return fail('not_found', `there is no run ${runId}`);
    return this.parts.texts.read(state.artifactsDir, path);
  }
}

const NAME_CHARS = 80;
/** Maximum file names in a preview. */
const SHOWN = 50;
/** Maximum names listed for the root model, each with its index and length. */
const LISTED = 200;
const NAME_FRAME_CHARS = 24;
/** Approximate characters of Muster's own texts around a question. */
const PROMPT_CHARS = 3_000;
const CONTINUE_CHARS = 400;

function rlmDefinition(input: ParsedInput<'rlm.start'>): WorkflowDefinition {
  const { question, documents, root, sub, verify, iterations, subcalls, blockSeconds, tokens } = input;
  const agent = ({ profile, model }: typeof root) => ({
    acp_profile_id: profile,
    agent_config: model === null ? null : { model },
  });
  const title = question.replace(/\s+/g, ' ').slice(0, NAME_CHARS);
  return workflowDefinitionSchema.parse({
    name: `Question: ${title}`,
    workspace: 'folder',
    returns: 'question',
    ...(tokens === null ? {} : { budget: { tokens } }),
    steps: [
      {
        id: 'question',
        type: 'step.rlm',
        title,
        config: {
          question: literalText(question),
          documents: documents.map(literalText),
          ...agent(root),
          sub_model: sub === null ? null : agent(sub),
          verify_model: verify === null ? null : agent(verify),
          limits: {
            ...(iterations === undefined ? {} : { iterations }),
            ...(subcalls === undefined ? {} : { subcalls }),
            ...(blockSeconds === undefined ? {} : { block_seconds: blockSeconds }),
          },
          background_knowledge: input.backgroundKnowledge,
          allow_weak_sandbox: input.allowWeakSandbox,
        },
      },
    ],
  });
}
