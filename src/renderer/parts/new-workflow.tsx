import type { WorkflowRow } from '@contract/catalog/procedures';
import type { ProcedureInput } from '@contract/ipc';
import { useState } from 'react';
import { useQuery } from '../client/hooks';
import { hashOf, navigate, withQuery } from '../client/route';
import { call } from '../client/rpc';
import { attempt } from '../client/toasts';
import { refresh } from '../client/wire/query';
import { Button } from '../ui/button';
import { closeFirst, Question } from '../ui/dialog';
import { Field, Select, TextInput } from '../ui/field';

interface NewWorkflowProps {
  /** The run whose steps it gets; null: a blank one. */
  readonly run: { readonly id: number; readonly name: string; readonly projectId: number } | null;
  /** The project that is looked at. */
  readonly projectId: number | null;
  /** The workflow that is duplicated. */
  readonly copy?: WorkflowRow | null;
  readonly onClose: () => void;
}

function sourceOf(
  run: NewWorkflowProps['run'],
  like: WorkflowRow | null,
): ProcedureInput<'workflow.create'>['from'] {
  if (run !== null) return { kind: 'run', runId: run.id };
  return like === null ? { kind: 'blank' } : { kind: 'file', projectId: like.projectId, file: like.file };
}

const keyOf = ({ projectId, file }: WorkflowRow): string => `${projectId} ${file}`;

/** Makes the file of a workflow, and opens it. */
export function NewWorkflow({ run, projectId, copy = null, onClose }: NewWorkflowProps) {
  const projects = useQuery('project.list', {}).value ?? [];
  const [name, setName] = useState(run?.name ?? (copy === null ? '' : `${copy.name} copy`));
  const [chosen, setChosen] = useState(run?.projectId ?? projectId);
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  const [like, setLike] = useState<WorkflowRow | null>(copy);
  const workflows = useQuery('workflow.list', {}).value ?? [];
  const can = name.trim() !== '' && project !== undefined;
  const create = async () => {
    if (!can) return;
    const made = await attempt(
      call('workflow.create', { projectId: project.id, name, from: sourceOf(run, like) }),
    );
    if (made === null) return;
    await refresh('workflow.list');
    closeFirst(onClose);
    navigate(
      withQuery(
        hashOf('workflow', project.id, made.file),
        run === null && like === null ? { show: 'text' } : {},
      ),
    );
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
        <Field label="Name" hint="The file is created in .muster/workflows/ of the project.">
          {(ids) => <TextInput {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        {run === null && (
          <Field label="Start from" hint="A copy keeps every line but the name.">
            {(ids) => (
              <Select
                {...ids}
                value={like === null ? '' : keyOf(like)}
                onChange={(event) =>
                  setLike(workflows.find((one) => keyOf(one) === event.target.value) ?? null)
                }
              >
                <option value="">A blank workflow</option>
                {workflows.map((one) => (
                  <option key={keyOf(one)} value={keyOf(one)}>
                    {one.name} ({one.projectName})
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
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
