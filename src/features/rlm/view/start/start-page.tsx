import { useQuery } from '@renderer/client/hooks';
import { Field, Select } from '@renderer/ui/field';
import { Glyph } from '@renderer/ui/icon';
import { FileSearch } from 'lucide-react';
import { useState } from 'react';
import { QuestionForm } from './question-form';
import styles from './start-page.module.css';

interface StartPageProps {
  /** The id of the project that the address names. */
  readonly wanted: string | null;
  readonly first: boolean;
}

/** Where a question over documents begins. */
export function StartPage({ wanted, first }: StartPageProps) {
  const { value: projects } = useQuery('project.list', {});
  const [chosen, choose] = useState<number | null>(wanted === null ? null : Number(wanted));
  const project = projects?.find(({ id }) => id === chosen) ?? projects?.[0];
  return (
    <section
      className={`pane scroll ${styles.questionStart}`}
      aria-label="Ask a question"
      data-focus
      tabIndex={-1}
    >
      <div className={styles.questionStartInner}>
        <header className={styles.questionStartHead}>
          <Glyph of={FileSearch} size={22} />
          <div className="grow">
            <h1>{first ? 'No questions yet' : 'Ask a question'}</h1>
            <p className="quiet">
              A model searches documents that are too large to read: it writes Python, which runs in a
              sandbox, and asks another model about parts of them. You see every step.
            </p>
          </div>
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
        {project && <QuestionForm key={project.id} projectId={project.id} />}
      </div>
    </section>
  );
}
