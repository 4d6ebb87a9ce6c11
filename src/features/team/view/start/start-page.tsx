import { useProject } from '@areas/projects/view/parts/use-project';
import { useQuery } from '@renderer/client/hooks';
import { Field, Segments, Select } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { NewTeamForm } from './new-team-form';
import styles from './start-page.module.css';
import { Templates } from './templates';

/** Starts a team: from a template with one click, or from a form. */
export function StartPage({ first }: { readonly first: boolean }) {
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
        {shown === 'template' ? <Templates templates={templates ?? []} /> : <ByProject />}
      </div>
    </section>
  );
}

function ByProject() {
  const [chosen, choose] = useState<number | null>(null);
  const { projects, project } = useProject(chosen);
  if (projects?.length === 0) return <p className="quiet">Add a project first.</p>;
  if (project === undefined) return null;
  return (
    <>
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
      <NewTeamForm key={project.id} projectId={project.id} />
    </>
  );
}
