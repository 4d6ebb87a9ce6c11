import type { ProjectRow } from '@areas/agents/contract/procedures';
import { useQuery, useRoute } from '@renderer/client/hooks';

interface ProjectChoice {
  /** Null while they are loaded. */
  readonly projects: readonly ProjectRow[] | null;
  /** Undefined while it is looked for, and if there is none. */
  readonly project: ProjectRow | undefined;
}

/**
 * The project of a form that starts something: the chosen one, else the one whose workflows are shown, else
 * that of the newest run, else the first of the list.
 */
export function useProject(chosen: number | null): ProjectChoice {
  const { path } = useRoute();
  const projects = useQuery('project.list', {}).value;
  const newest = useQuery('run.list', { limit: 1 });
  if (projects === null || newest.status === 'loading') return { projects, project: undefined };
  const wanted = [chosen, shownProject(path), newest.value?.rows[0]?.projectId];
  const known = wanted.flatMap((id) => projects.filter((project) => project.id === id));
  return { projects, project: known[0] ?? projects[0] };
}

/** The project in an address of the workflows. */
const shownProject = ([place, id]: readonly string[]): number | null =>
  (place === 'workflows' || place === 'workflow') && id !== undefined ? Number(id) : null;
