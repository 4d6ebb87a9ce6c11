import { useQuery } from '@renderer/client/hooks';
import { startSampleLoop } from '@renderer/parts/samples';
import { Button } from '@renderer/ui/button';
import { Field, Select } from '@renderer/ui/field';
import { Glyph } from '@renderer/ui/icon';
import { Repeat, Sprout } from 'lucide-react';
import { useState } from 'react';
import { LoopForm } from './loop-form';
import styles from './start-page.module.css';
import { WatchForm } from './watch-form';

/** Where a loop begins: over a project's plan, or as a sample with one click. */
export function StartPage({ first }: { readonly first: boolean }) {
  const { value: projects } = useQuery('project.list', {});
  const [chosen, choose] = useState<number | null>(null);
  const project = projects?.find(({ id }) => id === chosen) ?? projects?.[0];
  return (
    <section className={`pane scroll ${styles.loopStart}`} aria-label="Start a loop" data-focus tabIndex={-1}>
      <div className={styles.loopStartInner}>
        <header className={styles.loopStartHead}>
          <Glyph of={Repeat} size={22} />
          <div className="grow">
            <h1>{first ? 'No loops yet' : 'Start a loop'}</h1>
            <p className="quiet">
              A loop works through the stories of a <code>prd.json</code>: one fresh worker for each attempt,
              one after the other, one update for each. It stops and asks where a worker is blocked.
            </p>
          </div>
          <Button icon={Sprout} onClick={() => void startSampleLoop()}>
            Start the sample loop
          </Button>
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
        {project && <LoopForm key={project.id} projectId={project.id} projectPath={project.path} />}
        {project && <WatchForm key={`watch ${project.id}`} projectId={project.id} />}
      </div>
    </section>
  );
}
