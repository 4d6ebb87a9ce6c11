import { useState } from 'react';
import { useQuery } from '../client/hooks';
import { refresh } from '../client/query';
import { hashOf, navigate, withQuery } from '../client/route';
import { call } from '../client/rpc';
import { attempt } from '../client/toasts';
import { Button } from '../ui/button';
import { closeFirst, Question } from '../ui/dialog';
import { Field, Select, TextInput } from '../ui/field';

interface NewWorkflowProps {
  /** The run whose steps it gets; null: a blank one. */
  readonly run: { readonly id: number; readonly name: string; readonly projectId: number } | null;
  /** The project that is looked at. */
  readonly projectId: number | null;
  readonly onClose: () => void;
}

/** Makes the file of a workflow, and opens it. */
export function NewWorkflow({ run, projectId, onClose }: NewWorkflowProps) {
  const projects = useQuery('project.list', {}).value ?? [];
  const [name, setName] = useState(run?.name ?? '');
  const [chosen, setChosen] = useState(run?.projectId ?? projectId);
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  const can = name.trim() !== '' && project !== undefined;
  const create = async () => {
    if (!can) return;
    const from = run === null ? { kind: 'blank' as const } : { kind: 'run' as const, runId: run.id };
    const made = await attempt(call('workflow.create', { projectId: project.id, name, from }));
    if (made === null) return;
    await refresh('workflow.list');
    closeFirst(onClose);
    navigate(withQuery(hashOf('workflow', project.id, made.file), run === null ? { show: 'text' } : {}));
  };
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button tone="primary" disabled={!can} onClick={() => void create()}>
        {run === null ? 'Create workflow' : 'Save as workflow'}
      </Button>
    </>
  );
  return (
    <Question title={run === null ? 'New workflow' : 'Save as workflow'} onClose={onClose} footer={buttons}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field label="Name" hint="Its file is made in .muster/workflows/ of the project.">
          {(ids) => <TextInput {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Project">
          {(ids) => (
            <Select
              {...ids}
              value={String(project?.id ?? '')}
              onChange={(event) => setChosen(Number(event.target.value))}
            >
              {projects.map(({ id, name: of }) => (
                <option key={id} value={id}>
                  {of}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </form>
    </Question>
  );
}
