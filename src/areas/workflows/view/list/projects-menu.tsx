import type { ProjectRow } from '@areas/agents/contract/procedures';
import { removeProject } from '@areas/projects/view/parts/projects';
import { IconButton } from '@renderer/ui/controls/button';
import { Confirm } from '@renderer/ui/controls/dialog';
import { Menu } from '@renderer/ui/controls/menu';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';

/** Removes projects from the list. */
export function ProjectsMenu({ projects }: { projects: readonly ProjectRow[] }) {
  const [choosing, setChoosing] = useState(false);
  const [leaving, setLeaving] = useState<ProjectRow | null>(null);
  if (projects.length === 0) return null;
  return (
    <>
      <IconButton icon={Ellipsis} label="Projects in the list" onClick={() => setChoosing(true)} />
      {choosing && (
        <Menu
          label="Projects in the list"
          items={projects.map((project) => ({
            id: String(project.id),
            label: `Remove ${project.name} from the list`,
            hint: project.path,
            run: () => setLeaving(project),
          }))}
          onClose={() => setChoosing(false)}
        />
      )}
      {leaving && (
        <Confirm
          title={`Remove “${leaving.name}” from the list?`}
          verb="Remove from the list"
          onConfirm={() => void removeProject(leaving.id)}
          onClose={() => setLeaving(null)}
        >
          The folder and its runs stay as they are. You can add the folder again.
        </Confirm>
      )}
    </>
  );
}
