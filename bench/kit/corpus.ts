import { formatUpdate, type Update } from '@areas/feed/contract/update';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import type { RunEvent, RunEventOf } from '@contract/run/events';

/** Words by frequency: the first in nearly every text, the last hardly ever (Zipf). */
const WORDS = 8_000;
const nameOf = (rank: number) => `w${rank.toString(36)}x`;
export const COMMON = nameOf(2);
export const LESS_COMMON = nameOf(40);
export const RARE = nameOf(WORDS - 5);

/** Runs of an agent that is prompted again and again, as they fill an operator's database. */
export class Corpus {
  private seed = 20_260_101;

  started(uid: string, projectId: number): RunEventOf<'run.started'> {
    const config = { acp_profile_id: 'worker', instruction: this.words(20), re_prompts: [this.words(12)] };
    return {
      type: 'run.started',
      uid,
      name: `run ${this.words(2)}`,
      projectId,
      projectPath: '/project',
      sourceFile: '.muster/workflows/work.yaml',
      definition: workflowDefinitionSchema.parse({
        name: 'work',
        steps: ['write', 'review'].map((id) => ({ id, type: 'step.agent_task', config })),
        cables: [{ from: 'write.data_out', to: 'review.data_in' }],
      }),
      profiles: {},
      instruction: this.words(20),
      attachments: [],
      files: {},
      projectContext: null,
      artifactsDir: '/artifacts',
      workspaceMode: 'folder',
      startedBy: 'bench',
      references: { baseBranch: 'main', docsDir: 'docs/', inputs: {} },
    };
  }

  /** One turn of an activation, with all its events. */
  turn(turnId: number): RunEvent[] {
    const stepId = 'write';
    const update: Update = {
      iteration: (turnId % 9) + 1,
      of: 9,
      retry: 0,
      story: { id: stepId, title: 'Write the report' },
      storySource: 'step',
      result: turnId % 31 === 0 ? 'failed' : 'completed',
      commit: null,
      summary: [this.words(14), this.words(10)],
    };
    const about = { type: 'task.agent_task.reprompt_dispatched' as const, module_id: stepId };
    return [
      {
        type: 'turn.dispatched',
        turnId,
        sessionId: 1,
        activationId: 1,
        ordinal: turnId - 1,
        kind: 'reprompt',
        prompt: this.words(28),
        attachments: [],
        of: 9,
        resendOf: null,
      },
      { ...about, reprompt_index: turnId, reprompt_count: 9 },
      {
        type: 'turn.finished',
        turnId,
        outcome: 'completed',
        stopReason: 'end_turn',
        response: this.words(70),
        usage: { input_tokens: 412, output_tokens: 96, total_tokens: 508, cost_usd: 0.0123 },
        commit: null,
        error: null,
        limitResetsAt: null,
      },
      {
        type: 'task.agent_task.reprompt_response',
        module_id: stepId,
        reprompt_index: turnId,
        token_count: 508,
      },
      { type: 'update.posted', activationId: 1, turnId, stepId, update, text: formatUpdate(update) },
    ];
  }

  words(count: number): string {
    return Array.from({ length: count }, () => nameOf(this.rank())).join(' ');
  }

  private rank(): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.min(WORDS, Math.floor(WORDS ** (this.seed / 2 ** 32)));
  }
}
