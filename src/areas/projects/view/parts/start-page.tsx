import type { ProjectRow } from '@areas/agents/contract/procedures';
import { Field, Select } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './start-page.module.css';
import { useProject } from './use-project';

interface StartPageProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly about: ReactNode;
  /** Beside the title. */
  readonly act?: ReactNode;
  /** The initial project; null: the usual one. */
  readonly wanted?: number | null;
  readonly children: (project: ProjectRow) => ReactNode;
}

/** The page on which something is started: its description, the project, and its form. */
export function StartPage({ label, icon, title, about, act, wanted = null, children }: StartPageProps) {
  const [chosen, choose] = useState<number | null>(wanted);
  const { projects, project } = useProject(chosen);
  return (
    <section className={`pane scroll ${styles.startPage}`} aria-label={label} data-focus tabIndex={-1}>
      <div className={styles.startPageInner}>
        <header className={styles.startPageHead}>
          <Glyph of={icon} size={22} />
          <div className="grow">
            <h1>{title}</h1>
            <p className="quiet">{about}</p>
          </div>
          {act}
        </header>
        {project && (
          <Field label="Project">
            {(ids) => (
              <Select {...ids} value={project.id} onChange={(event) => choose(Number(event.target.value))}>
                {projects?.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {project && children(project)}
      </div>
    </section>
  );
}
