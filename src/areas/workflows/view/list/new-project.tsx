import type { ProjectRow, WorkflowPattern } from '@areas/agents/contract/procedures';
import { featureViews as views } from '@features/view';
import { useQuery } from '@renderer/client/hooks';
import { ActButton } from '@renderer/parts/controls/act';
import { Empty } from '@renderer/ui/layout/note';
import { GitFork, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { NewWorkflow } from '../parts/new-workflow/new-workflow';
import styles from './new-project.module.css';

/** A project without workflows: what can be begun in it. */
export function NewProject({ project }: { project: ProjectRow }) {
  const begins = views.filter(({ begins: can }) => can !== undefined);
  return (
    <Empty
      icon={GitFork}
      title={`${project.name} has no workflows yet`}
      acts={
        <>
          <ActButton action="work.new" tone="primary" icon={Play}>
            New work
          </ActButton>
          <ActButton action="workflow.new" icon={Plus}>
            New workflow
          </ActButton>
          {begins.map(({ id, icon, begins: can }) => (
            <ActButton key={id} action={`begin.${id}`} icon={icon}>
              {can?.title}
            </ActButton>
          ))}
          <Patterns projectId={project.id} />
        </>
      }
    >
      Give one agent a prompt now, or write a workflow: a YAML file in <code>.muster/workflows/</code>.
    </Empty>
  );
}

/** The patterns that come with Muster, each begun with one press. */
function Patterns({ projectId }: { projectId: number }) {
  const patterns = useQuery('workflow.patterns', {}).value ?? [];
  const [chosen, choose] = useState<WorkflowPattern | null>(null);
  if (patterns.length === 0) return null;
  return (
    <section className={styles.patterns} aria-label="Patterns">
      <h3 className="quiet">Start from a pattern</h3>
      <ul>
        {patterns.map((pattern) => (
          <li key={pattern.id}>
            <button type="button" className={styles.pattern} onClick={() => choose(pattern)}>
              <strong>{pattern.name}</strong> <span className="quiet">{pattern.description}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen && (
        <NewWorkflow run={null} projectId={projectId} pattern={chosen} onClose={() => choose(null)} />
      )}
    </section>
  );
}
