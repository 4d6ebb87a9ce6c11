import type { ProjectRow, WorkflowRow } from '@areas/agents/contract/procedures';
import type { ListRow } from '@renderer/ui/lists/list';

export type WorkflowListRow =
  | (ListRow & { readonly heading: true; readonly project: ProjectRow })
  | (ListRow & { readonly heading?: false; readonly workflow: WorkflowRow });

const ROW = 48;
const HEADING = 34;

export const workflowKey = (row: Pick<WorkflowRow, 'projectId' | 'file'>): string =>
  `${row.projectId}/${row.file}`;

/** Each project with its workflows below it. */
export function workflowRows(
  projects: readonly ProjectRow[],
  workflows: readonly WorkflowRow[],
  search: string,
): WorkflowListRow[] {
  const wanted = search.trim().toLowerCase();
  const fits = (row: WorkflowRow) =>
    `${row.name} ${row.file} ${row.description ?? ''}`.toLowerCase().includes(wanted);
  return projects.flatMap((project): WorkflowListRow[] => [
    { key: `project/${project.id}`, height: HEADING, heading: true, project },
    ...workflows
      .filter((workflow) => workflow.projectId === project.id && fits(workflow))
      .map((workflow): WorkflowListRow => ({ key: workflowKey(workflow), height: ROW, workflow })),
  ]);
}
