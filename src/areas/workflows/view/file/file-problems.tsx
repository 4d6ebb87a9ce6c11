import type { WorkflowDetail, WorkflowRow } from '@areas/agents/contract/procedures';
import { useWorkflowFile } from '@renderer/client/hooks';
import { jumps } from '@renderer/client/keys/jump';
import { setQuery } from '@renderer/client/route';
import { registry } from '@renderer/client/wire/window';
import { openInEditor } from '@renderer/parts/problems/error-note';
import { Problems } from '@renderer/parts/problems/problems';
import type { MendableProblem } from '../../contract/editing';
import { aimOf } from '../../contract/place';

interface FileProblemsProps {
  readonly row: WorkflowRow;
  readonly value: WorkflowDetail | null;
  readonly className?: string;
}

/** The problems of the file now. A click leads to the field, the cable or the line. */
export function FileProblems({ row, value, className }: FileProblemsProps) {
  const { projectId, file } = row;
  const { open, view } = useWorkflowFile(projectId, file);
  const { checked, writable } = view;
  const problems: readonly MendableProblem[] = checked?.problems ?? row.problems;
  const path = value?.absolutePath ?? null;
  if (problems.length === 0) return null;
  const go = (problem: MendableProblem) => {
    const other = problem.where?.file;
    if (path !== null && other !== undefined && other !== file)
      return openInEditor(besides(path, { file, other }), problem.where?.line);
    const aim = aimOf(checked?.value ?? null, problem.where?.path);
    jumps.set({ projectId, file, aim, problem });
    if (aim.kind === 'text') return setQuery({ show: 'text' });
    if (aim.kind === 'cable') return setQuery({ show: 'canvas' });
    setQuery(aim.step.length === 0 ? { step: '', side: 'settings' } : { step: aim.step.join('/') });
    if (document.querySelector('[data-part="column-side"]') === null) registry.run('frame.side');
  };
  return (
    <div className={className}>
      <Problems
        problems={problems}
        path={path}
        onGo={checked === null ? undefined : go}
        onMend={writable ? (edits) => void open.edit(edits) : undefined}
      />
    </div>
  );
}

/** The path of another file of the project, derived from the path of the workflow file. */
const besides = (path: string, { file, other }: { readonly file: string; readonly other: string }): string =>
  path.endsWith(file) ? path.slice(0, path.length - file.length) + other : path;
