import type { ProjectRow } from '@areas/agents/contract/procedures';
import { plural } from '@renderer/client/format';
import { useQuery, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, withQuery } from '@renderer/client/route';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Problems } from '@renderer/parts/problems/problems';
import { Button } from '@renderer/ui/controls/button';
import { Select } from '@renderer/ui/controls/field';
import { Status } from '@renderer/ui/controls/status';
import { Empty } from '@renderer/ui/layout/note';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import { CircleX, MessageSquareText } from 'lucide-react';
import type { PromptCheck } from '../contract/procedures';
import { PromptPage } from './prompt-page';
import styles from './prompts.module.css';
import { OWN, type PromptListRow, projectOf, promptRows } from './rows';
import { SchemaPane } from './schema-pane';

/** The prompts that Muster itself gives to agents, as they apply in one project. */
export function PromptsView() {
  const { path, query } = useRoute();
  const projects = useQuery('project.list', {}).value;
  const found = projects === null ? null : projectOf(path[1], projects);
  const gone = found === undefined;
  const projectId = found ?? null;
  const place = projectId === null ? {} : { projectId };
  const checked = useQuery('prompt.check', projects === null || gone ? null : place);
  const rows = promptRows(gone ? [] : (checked.value?.prompts ?? []), query.q ?? '');
  const selectedKey = path[0] === 'prompt' ? (path[2] ?? null) : null;
  const first = rows.find((row) => !row.heading)?.key ?? null;
  const selected =
    selectedKey === null || rows.some((row) => row.key === selectedKey) ? (selectedKey ?? first) : null;
  const detail = useQuery('prompt.get', selected === null ? null : { ...place, id: selected });
  const value = selected !== null && detail.value?.id === selected ? detail.value : null;
  const select = (row: PromptListRow) =>
    replaceRoute(
      withQuery(row.heading ? hashOf('prompts') : hashOf('prompt', projectId ?? OWN, row.prompt.id), {
        q: query.q ?? '',
      }),
    );
  const list = {
    title: 'Prompts',
    rows,
    selected,
    draw: (row: PromptListRow) => <PromptRowView row={row} />,
    onSelect: select,
    head: (
      <>
        <ListSearch of="prompts" />
        <ProjectChoice projects={projects ?? []} projectId={projectId} />
      </>
    ),
    error: checked.error,
    above: checked.value && <Strays checked={checked.value} />,
  };
  const shown = value ? (
    <PromptPage key={`${projectId}/${value.id}`} value={value} projectId={projectId} />
  ) : (
    <Nothing error={detail.error !== null} absent={gone || (checked.value !== null && selected === null)} />
  );
  return (
    <ListView
      id="prompts"
      front={path[0] === 'prompt' ? 'detail' : 'list'}
      {...list}
      detail={detail.error ? <ErrorNote error={detail.error} /> : shown}
      side={value ? () => <SchemaPane value={value} /> : undefined}
      sideOpen
    />
  );
}

interface ProjectChoiceProps {
  readonly projects: readonly ProjectRow[];
  readonly projectId: number | null;
}

function ProjectChoice({ projects, projectId }: ProjectChoiceProps) {
  return (
    <Select
      aria-label="Project"
      className={styles.promptProject}
      value={projectId ?? OWN}
      onChange={(event) => navigate(hashOf('prompts', event.target.value))}
    >
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value={OWN}>No project</option>
    </Select>
  );
}

/** Files that nothing reads; each opens in the editor. */
function Strays({ checked: { projectPath, strays } }: { checked: PromptCheck }) {
  return strays.map((stray) => (
    <div key={stray.where?.file} className={styles.promptStray}>
      <Problems problems={[stray]} path={`${projectPath ?? ''}/${stray.where?.file ?? ''}`} />
    </div>
  ));
}

function PromptRowView({ row }: { row: PromptListRow }) {
  if (row.heading) return <span className="quiet">{row.title}</span>;
  const { title, purpose, source, problems } = row.prompt;
  const broken = problems.length > 0;
  return (
    <TwoLines
      mark={
        <Status tone={broken ? 'failed' : 'grey'} icon={broken ? CircleX : MessageSquareText} markOnly>
          {broken ? 'Cannot be used' : 'Can be used'}
        </Status>
      }
      title={title}
      end={source === 'override' ? 'overridden' : null}
      under={purpose}
      underEnd={broken && <span className="failed-text">{plural(problems.length, 'problem')}</span>}
    />
  );
}

function Nothing({ error, absent }: { error: boolean; absent: boolean }) {
  if (error || !absent) return null;
  return (
    <Empty
      icon={MessageSquareText}
      title="There is no such prompt"
      acts={<Button onClick={() => navigate(hashOf('prompts'))}>Show all prompts</Button>}
    >
      Its project is not in the list, or this version of Muster has no prompt with that name.
    </Empty>
  );
}
