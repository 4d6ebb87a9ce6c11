import type { ProfileRow, ProjectRow, WorkflowPattern, WorkflowRow } from '@areas/agents/contract/procedures';
import { useProject } from '@areas/projects/view/parts/use-project';
import type { ProcedureInput } from '@contract/ipc';
import { useQuery } from '@renderer/client/hooks';
import { hashOf, navigate, withQuery } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { AgentSelect } from '@renderer/parts/controls/agent-select';
import { firstUsable } from '@renderer/parts/controls/first-usable';
import { Button } from '@renderer/ui/controls/button';
import { closeFirst, Question } from '@renderer/ui/controls/dialog';
import { Field, Select, TextInput } from '@renderer/ui/controls/field';
import { useState } from 'react';
import { type Source, SourceField } from './source';

interface NewWorkflowProps {
  /** The run whose steps it gets; null: a blank one. */
  readonly run: { readonly id: number; readonly name: string; readonly projectId: number } | null;
  /** Null: the usual one. */
  readonly projectId: number | null;
  /** The workflow that is duplicated. */
  readonly copy?: WorkflowRow | null;
  /** The pattern that was chosen. */
  readonly pattern?: WorkflowPattern | null;
  readonly onClose: () => void;
}

type From = ProcedureInput<'workflow.create'>['from'];

function fromOf(run: NewWorkflowProps['run'], source: Source, agent: ProfileRow | undefined): From | null {
  if (run !== null) return { kind: 'run', runId: run.id };
  if (source === null) return { kind: 'blank', agent: agent?.profile.id };
  if (source.kind === 'copy')
    return { kind: 'file', projectId: source.workflow.projectId, file: source.workflow.file };
  return agent === undefined
    ? null
    : { kind: 'pattern', pattern: source.pattern.id, agent: agent.profile.id };
}

function firstSource({ copy = null, pattern = null }: NewWorkflowProps): Source {
  if (pattern !== null) return { kind: 'pattern', pattern };
  return copy === null ? null : { kind: 'copy', workflow: copy };
}

/** The name that is offered. */
function nameOf({ run, copy = null }: NewWorkflowProps, source: Source): string {
  if (run !== null) return run.name;
  if (copy !== null) return `${copy.name} copy`;
  return source?.kind === 'pattern' ? source.pattern.name : '';
}

/** What is chosen, and whether it is enough for a workflow. */
function useWish(props: NewWorkflowProps) {
  const { run, projectId } = props;
  const [source, setSource] = useState(() => firstSource(props));
  const [typed, setName] = useState<string | null>(null);
  const [chosen, setProject] = useState(run?.projectId ?? projectId);
  const [agentId, setAgent] = useState('');
  const { projects, project } = useProject(chosen);
  const agents = useQuery('agent.list', project ? { projectId: project.id } : {}).value ?? [];
  const agent = agents.find(({ profile }) => profile.id === agentId) ?? firstUsable(agents);
  const name = typed ?? nameOf(props, source);
  const from = fromOf(run, source, agent);
  const can = name.trim() !== '' && project !== undefined && from !== null;
  const wish = can ? { projectId: project.id, name, from } : null;
  return { projects, project, setProject, agents, agent, setAgent, source, setSource, name, setName, wish };
}

/** Makes the file of a workflow, and opens it. */
export function NewWorkflow(props: NewWorkflowProps) {
  const { run, onClose } = props;
  const { wish, source, ...chosen } = useWish(props);
  const create = async () => {
    if (wish === null) return;
    const made = await attempt(call('workflow.create', wish));
    if (made === null) return;
    await refresh('workflow.list');
    closeFirst(onClose);
    const place = hashOf('workflow', wish.projectId, made.file);
    navigate(wish.from.kind === 'blank' ? withQuery(place, { show: 'text' }) : place);
  };
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button tone="primary" disabled={wish === null} onClick={() => void create()}>
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
          {(ids) => (
            <TextInput
              {...ids}
              value={chosen.name}
              onChange={(event) => chosen.setName(event.target.value)}
            />
          )}
        </Field>
        {run === null && <SourceField source={source} onChange={chosen.setSource} />}
        {run === null && source?.kind !== 'copy' && (
          <AgentSelect
            agents={chosen.agents}
            agent={chosen.agent}
            onAgent={chosen.setAgent}
            onLeave={() => closeFirst(onClose)}
          />
        )}
        <ProjectField
          projects={chosen.projects ?? []}
          project={chosen.project}
          onChange={chosen.setProject}
        />
      </form>
    </Question>
  );
}

interface ProjectFieldProps {
  readonly projects: readonly ProjectRow[];
  readonly project: ProjectRow | undefined;
  readonly onChange: (id: number) => void;
}

function ProjectField({ projects, project, onChange }: ProjectFieldProps) {
  return (
    <Field label="Project">
      {(ids) => (
        <Select
          {...ids}
          value={String(project?.id ?? '')}
          onChange={(event) => onChange(Number(event.target.value))}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
