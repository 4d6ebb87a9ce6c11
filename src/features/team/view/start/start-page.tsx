import type { ProjectRow } from '@contract/catalog/procedures';
import { useQuery } from '@renderer/client/hooks';
import { Field, Segments, Select } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { ByHand } from './by-hand';
import styles from './start-page.module.css';
import { Templates } from './templates';

/** Starts a team: from a template with one click, or from a form. */
export function StartPage({ first }: { readonly first: boolean }) {
  const { value: projects } = useQuery('project.list', {});
  const { value: templates } = useQuery('team.templates', {}, ['workflows', 'profiles']);
  const [way, setWay] = useState<'template' | 'hand' | null>(null);
  const none = templates !== null && templates.length === 0;
  const shown = way ?? (none ? 'hand' : 'template');
  return (
    <section className={`pane scroll ${styles.teamStart}`} aria-label="Start a team" data-focus tabIndex={-1}>
      <div className={styles.teamStartInner}>
        <header className={styles.teamStartHead}>
          <Glyph of={Users} size={22} />
          <div>
            <h1>{first ? 'No teams yet' : 'Start a team'}</h1>
            <p className="quiet">
              Agents that work in parallel, each in its own session and branch. Talk to each of them, round
              after round, until you tell it “I’m satisfied”.
            </p>
          </div>
        </header>
        <Segments
          label="How to begin"
          value={shown}
          options={[
            { value: 'template', label: 'From a template' },
            { value: 'hand', label: 'By hand' },
          ]}
          onChange={setWay}
        />
        {shown === 'template' ? (
          <Templates templates={templates ?? []} />
        ) : (
          <ByProject projects={projects ?? []} />
        )}
      </div>
    </section>
  );
}

function ByProject({ projects }: { projects: readonly ProjectRow[] }) {
  const [chosen, choose] = useState<number | null>(null);
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  if (project === undefined) return <p className="quiet">Add a project first.</p>;
  return (
    <>
      <Field label="Project">
        {(ids) => (
          <Select {...ids} value={project.id} onChange={(event) => choose(Number(event.target.value))}>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ByHand key={project.id} projectId={project.id} />
    </>
  );
}
