import { ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import type { QuestionPhase, QuestionRow } from '../../contract/summary';

const phases: Readonly<Record<QuestionPhase, string>> = {
  reading: 'reads the documents',
  starting: 'starts the sandbox',
  thinking: 'model writes',
  computing: 'code runs',
  asking: 'asks the sub-model',
  checking: 'checks the answer',
  held: 'waits for space on the disk',
  waiting: 'waits for you',
  cancelling: 'being cancelled',
  answered: 'answered',
  partial: 'partial answer',
  failed: 'failed',
  stopped: 'stopped',
};

/** The questions of the latest runs, one per line, newest first. */
export async function listQuestions({ open, out }: Context): Promise<Result<ExitCode>> {
  const link = await open({ mode: 'reading' });
  if (!link.ok) return link;
  const listed = await ask(link.value, 'rlm.list', {});
  if (!listed.ok) return listed;
  const { rows } = listed.value;
  const head = ['RUN', 'STATUS', 'ITERATION', 'SUB-CALLS', 'TOKENS', 'COST', 'PROJECT', 'QUESTION'];
  out.document(listed.value, () =>
    rows.length === 0
      ? ['No questions.']
      : columns([head.map(out.style.dim), ...rows.map(lineOf)], { width: out.width }),
  );
  return ok(EXIT.ok);
}

const lineOf = (row: QuestionRow): string[] => [
  String(row.runId),
  phases[row.phase],
  `${Math.min(row.iteration, row.of)}/${row.of}`,
  String(row.subCalls),
  row.tokens === 0 ? '-' : String(row.tokens),
  row.costUsd === null ? 'not reported' : `$${row.costUsd.toFixed(2)}`,
  row.projectName,
  row.question.replace(/\s+/g, ' '),
];
