import { isDeepStrictEqual } from 'node:util';
import type { ConfigEdit, MigrationChange } from '@areas/workflows/contract/migration';
import { appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { err, ok, type Result } from '@contract/result';
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import type { DocumentMigrator, EditsOf, MigratedDocument } from '../../core/ports/documents';
import { meaningOf } from './aliases';
import { applyEdits, unshared } from './config-edits';
import { writeEdit } from './edit-config';
import { pairOf, resolved, type Source, type Splice, splice } from './splice';

const MEND = 'replace the aliases with their content, or edit the file by hand';

/**
 * Rewrites the configurations of a workflow's steps in its text. Only what changes is touched: comments,
 * order, quotes and layout of everything else stay. The result is parsed again, and rejected
 * (`validation.completion_mode_removed`) if it differs from the request, for example because a changed part
 * is shared with another step.
 */
export const yamlMigrator: DocumentMigrator = {
  migrate(text, editsOf): Result<MigratedDocument> {
    const lines = new LineCounter();
    const document = parseDocument(text, { keepSourceTokens: true, prettyErrors: false, lineCounter: lines });
    const [broken] = document.errors;
    if (broken !== undefined)
      return err(unreadable(lines, { message: broken.message, offset: broken.pos[0] }));
    const [trouble] = meaningOf(document).troubles;
    if (trouble !== undefined) return err(unreadable(lines, trouble));
    const source: Source = { text, document, eol: text.includes('\r\n') ? '\r\n' : '\n' };
    const splices: Splice[] = [];
    const changes: MigrationChange[] = [];
    const expected = unshared(saidBy(text)) as Json;
    for (const step of stepsOf(expected, editsOf)) {
      const config = resolved(source, pairOf(stepNode(source, step.index), 'config')?.value);
      for (const edit of step.edits) {
        const written = isMap(config)
          ? writeEdit({ ...source, dropped: droppedBy(step.edits) }, config, edit)
          : null;
        if (written === null) return err(shared(step.index));
        const { line } = lines.linePos(written.at);
        splices.push(...written.splices);
        changes.push({ path: `steps[${step.index}].config.${written.path}`, line, what: written.what });
      }
      step.holder.config = applyEdits(step.config, step.edits);
    }
    if (splices.length === 0) return ok({ text, changes });
    const rewritten = splice(text, splices);
    const means = parseDocument(rewritten, { prettyErrors: false });
    const right = means.errors.length === 0 && isDeepStrictEqual(unshared(saidBy(rewritten)), expected);
    return right
      ? ok({ text: rewritten, changes: changes.sort((a, b) => a.line - b.line) })
      : err(shared(null));
  },
};

const shared = (index: number | null) =>
  appError(
    'validation.completion_mode_removed',
    `the file cannot be rewritten${index === null ? '' : ` at steps[${index}]`} without other changes`,
    { mend: MEND },
  );

const unreadable = (
  lines: LineCounter,
  {
    offset,
    message,
    mend = 'correct the YAML at this line',
  }: { offset: number; message: string; mend?: string },
) => appError('validation.yaml', message, { where: { line: lines.linePos(offset).line }, mend });

const saidBy = (text: string): unknown => meaningOf(parseDocument(text, { prettyErrors: false })).value;

const droppedBy = (edits: readonly ConfigEdit[]): ReadonlySet<string> =>
  new Set(edits.flatMap((edit) => (edit.kind === 'drop' ? [edit.key] : [])));

interface StepToEdit {
  readonly index: number;
  readonly holder: Record<string, Json>;
  readonly config: Record<string, Json>;
  readonly edits: readonly ConfigEdit[];
}

const isRecord = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function stepsOf(definition: Json, editsOf: EditsOf): StepToEdit[] {
  if (!isRecord(definition) || !Array.isArray(definition.steps)) return [];
  return definition.steps.flatMap((holder, index): StepToEdit[] => {
    if (!isRecord(holder) || typeof holder.type !== 'string' || !isRecord(holder.config)) return [];
    const edits = editsOf(holder.type, holder.config);
    return edits.length === 0 ? [] : [{ index, holder, config: holder.config, edits }];
  });
}

function stepNode(source: Source, index: number): unknown {
  const steps = resolved(source, pairOf(source.document.contents, 'steps')?.value);
  return isSeq(steps) ? resolved(source, steps.items[index]) : null;
}
