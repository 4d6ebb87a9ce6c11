import { plural } from '@renderer/client/format';
import { Status } from '@renderer/ui/controls/status';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import { CircleX, GitFork } from 'lucide-react';
import styles from './list-row.module.css';
import type { WorkflowListRow } from './rows';

interface ListRowViewProps {
  readonly row: WorkflowListRow;
}

export function ListRowView({ row }: ListRowViewProps) {
  if (row.heading) {
    const { project } = row;
    return (
      <div className={styles.projectHead} title={project.path}>
        <span className="cut">{project.name}</span>
        {project.trouble ? (
          <span className="failed-text cut" title={project.trouble}>
            {project.trouble}
          </span>
        ) : (
          <span className="faint cut path">{project.path}</span>
        )}
      </div>
    );
  }
  const { workflow } = row;
  const errors = workflow.problems.filter((problem) => problem.severity === 'error').length;
  const warnings = workflow.problems.length - errors;
  return (
    <TwoLines
      mark={
        <Status tone={errors > 0 ? 'failed' : 'grey'} icon={errors > 0 ? CircleX : GitFork} markOnly>
          {errors > 0 ? 'Cannot run' : 'Can run'}
        </Status>
      }
      title={workflow.name}
      end={plural(workflow.steps.length, 'step')}
      under={<span className="mono">{workflow.file.replace(/^\.muster\/workflows\//, '')}</span>}
      underEnd={
        errors > 0 ? (
          <span className="failed-text">{plural(errors, 'error')}</span>
        ) : (
          warnings > 0 && <span className="waits-text">{plural(warnings, 'warning')}</span>
        )
      }
    />
  );
}
