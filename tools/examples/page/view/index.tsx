import { useQuery } from '@renderer/client/hooks';
import { ProjectList } from './project-list';

/** The projects that this Muster knows. */
export function ProjectsView() {
  return <ProjectList projects={useQuery('project.list', {}).value ?? []} />;
}
