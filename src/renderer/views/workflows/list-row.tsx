import { CircleCheck, CircleX, TriangleAlert, X } from 'lucide-react';
import { plural } from '../../client/format';
import { IconButton } from '../../ui/button';
import { Status } from '../../ui/status';
import type { WorkflowListRow } from './rows';

interface ListRowViewProps {
  readonly row: WorkflowListRow;
  readonly onRemove: (project: { id: number; name: string }) => void;
}

export function ListRowView({ row, onRemove }: ListRowViewProps) {
  if (row.heading) {
    const { project } = row;
    return (
      <div className="project-head" title={project.path}>
        <span className="cut">{project.name}</span>
        {project.trouble ? (
          <span className="failed-text cut" title={project.trouble}>
            {project.trouble}
          </span>
        ) : (
          <span className="faint cut path">{project.path}</span>
        )}
        <span className="grow" />
        <IconButton className="on-hover" icon={X} label="Take the project off the list" onClick={() => onRemove(project)} />
      </div>
    );
  }
  const { workflow } = row;
  const errors = workflow.problems.filter((problem) => problem.severity === 'error').length;
  const warnings = workflow.problems.length - errors;
  return (
    <div className="two-lines">
      <span className="row-mark">
        {errors > 0 ? (
          <Status tone="failed" icon={CircleX} markOnly>
            Cannot run
          </Status>
        ) : (
          <Status tone="grey" icon={CircleCheck} markOnly>
            Can run
          </Status>
        )}
      </span>
      <span className="row-title cut">{workflow.name}</span>
      <span className="row-end">{plural(workflow.steps.length, 'step')}</span>
      <span className="row-under cut mono">{workflow.file.replace(/^\.muster\/workflows\//, '')}</span>
      <span className="row-end">
        {errors > 0 && <span className="failed-text">{plural(errors, 'error')}</span>}
        {errors === 0 && warnings > 0 && (
          <span className="with-icon waits-text">
            <TriangleAlert size={12} aria-hidden /> {warnings}
          </span>
        )}
      </span>
    </div>
  );
}
