import type { ProjectRow } from '@areas/agents/contract/procedures';
import { useFirst, useQuery, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, withQuery } from '@renderer/client/route';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { Button } from '@renderer/ui/controls/button';
import { Empty } from '@renderer/ui/layout/note';
import { FolderPlus, GitFork, Plus } from 'lucide-react';
import { Deleted } from './list/deleted';
import { ListRowView } from './list/list-row';
import { NewProject } from './list/new-project';
import { ProjectsMenu } from './list/projects-menu';
import { type WorkflowListRow, workflowKey, workflowRows } from './list/rows';
import { Side } from './page/side';
import { WorkflowPage } from './page/workflow-page';
import { Questions } from './parts/step-panel/step-panel';

const hashOfRow = (row: WorkflowListRow): string =>
  row.heading
    ? hashOf('workflows', row.project.id)
    : hashOf('workflow', row.workflow.projectId, row.workflow.file);

export function WorkflowsView() {
  const { path, query } = useRoute();
  const projects = useQuery('project.list', {});
  const workflows = useQuery('workflow.list', {});
  const rows = workflowRows(projects.value ?? [], workflows.value ?? [], query.q ?? '');
  const open = rows.filter((row) => !row.heading);
  const inProject = path[0] === 'workflows' && path[1] ? Number(path[1]) : null;
  const selectedKey = path[0] === 'workflow' ? `${path[1]}/${path[2]}` : null;
  const inPlace = open.filter((row) => inProject === null || row.workflow.projectId === inProject);
  const first = useFirst(
    inPlace.map((row) => row.key),
    selectedKey !== null,
  );
  const selected = rows.some((row) => row.key === selectedKey)
    ? selectedKey
    : selectedKey === null
      ? first
      : null;
  const row = open.find((row) => row.key === selected)?.workflow;
  const select = (row: WorkflowListRow) => replaceRoute(withQuery(hashOfRow(row), { q: query.q ?? '' }));
  const list = {
    title: 'Workflows',
    rows,
    selected,
    draw: (row: WorkflowListRow) => <ListRowView row={row} />,
    onSelect: select,
    head: (
      <>
        <ListSearch of="workflows" />
        <ActIcon action="workflow.new" icon={Plus} label="New workflow" />
        <ActButton action="project.add" icon={FolderPlus}>
          Add folder
        </ActButton>
        <Deleted projects={projects.value ?? []} />
        <ProjectsMenu projects={projects.value ?? []} />
      </>
    ),
    error: workflows.error,
  };
  return (
    <>
      <ListView
        id="workflows"
        front={path[0] === 'workflow' ? 'detail' : 'list'}
        {...list}
        detail={
          row ? (
            <WorkflowPage key={workflowKey(row)} row={row} />
          ) : (
            workflows.status === 'ready' && (
              <NoWorkflow
                isSelected={selectedKey !== null}
                project={(projects.value ?? []).find(({ id }) => id === inProject)}
              />
            )
          )
        }
        side={row ? () => <Side key={workflowKey(row)} row={row} /> : undefined}
        sideOpen
      />
      {row && <Questions key={workflowKey(row)} projectId={row.projectId} file={row.file} />}
    </>
  );
}

interface NoWorkflowProps {
  readonly isSelected: boolean;
  /** The current project. */
  readonly project: ProjectRow | undefined;
}

function NoWorkflow({ isSelected, project }: NoWorkflowProps) {
  if (isSelected) {
    return (
      <Empty
        icon={GitFork}
        title="There is no such workflow"
        acts={<Button onClick={() => navigate(hashOf('workflows'))}>Show all workflows</Button>}
      >
        Its file was moved or deleted, or its project is not in the list.
      </Empty>
    );
  }
  if (project !== undefined) return <NewProject project={project} />;
  return (
    <Empty
      icon={GitFork}
      title="No workflows yet"
      acts={<ActButton action="project.sample">Create the sample project</ActButton>}
    >
      A workflow is a YAML file in <code>.muster/workflows/</code> of a project. It appears here as soon as it
      is saved.
    </Empty>
  );
}
