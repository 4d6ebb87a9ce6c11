import type { ProjectRow } from '@areas/agents/contract/procedures';

/** One line for each project: its name and its folder. */
export function ProjectList({ projects }: { projects: readonly Pick<ProjectRow, 'name' | 'path'>[] }) {
  return (
    <section className="pane" aria-label="Projects">
      <ul>
        {projects.map(({ name, path }) => (
          <li key={path}>{`${name}: ${path}`}</li>
        ))}
      </ul>
    </section>
  );
}
