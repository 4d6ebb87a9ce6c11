import { useProject } from '@areas/projects/view/parts/use-project';
import { useHandlers, useQuery, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, setQuery, withQuery } from '@renderer/client/route';
import { refresh } from '@renderer/client/wire/query';
import { ActButton } from '@renderer/parts/controls/act';
import { useDebounced } from '@renderer/parts/controls/debounced-value';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import { Select } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { Status } from '@renderer/ui/controls/status';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Empty } from '@renderer/ui/layout/note';
import type { ListRow } from '@renderer/ui/lists/list';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import { CircleCheck, CircleDot, MessageSquare, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { IssueRow } from '../contract/forge';
import { oneLine } from '../contract/untrusted';
import { IssuePage } from './issues/issue-page';
import styles from './issues/issues.module.css';
import { useIssues } from './issues/use-issues';

type Row = ListRow & { readonly issue: IssueRow; readonly heading?: false };

const ROW = 52;
const TITLE_CHARS = 250;

/** The issues of a project's forge: each can be read, and work on it begun. */
export function IssuesView() {
  const { path, query } = useRoute();
  const [place, named, number] = path;
  const { projects, project } = useProject(named === undefined ? null : Number(named));
  const projectId = project?.id ?? null;
  const gone = projects !== null && named !== undefined && !projects.some(({ id }) => String(id) === named);
  const forge = useQuery('forge.get', projectId === null || gone ? null : { projectId });
  const problem = forge.error ?? forge.value?.problem ?? null;
  const state = query.state === 'closed' ? 'closed' : 'open';
  const search = useDebounced(query.q ?? '');
  const ready = projectId !== null && forge.value !== null && problem === null;
  const { issues, again, readMore } = useIssues(ready ? { projectId, search, state } : null);
  const rows = issues.rows.map((issue): Row => ({ key: String(issue.number), height: ROW, issue }));
  const selected = place === 'issue' && number !== undefined ? number : (rows[0]?.key ?? null);
  const readAgain = () => {
    void refresh('forge.get', 'issue.get');
    again();
  };
  useHandlers({ 'issues.read': projectId === null ? null : readAgain });
  const detail = (): ReactNode => {
    if (gone) return <NoProject />;
    if (problem !== null) return <NoForge>{<ErrorNote error={problem} />}</NoForge>;
    if (projectId === null || forge.value === null || issues.status === 'loading')
      return <div className="pane" aria-busy="true" />;
    if (selected !== null)
      return <IssuePage key={`${projectId}/${selected}`} projectId={projectId} number={Number(selected)} />;
    return issues.error === null ? <NoIssues filtered={search !== '' || state === 'closed'} /> : null;
  };
  return (
    <ListView
      id="issues"
      front={place === 'issue' ? 'detail' : 'list'}
      title="Issues"
      rows={rows}
      selected={selected}
      draw={(row: Row) => <IssueLines issue={row.issue} />}
      onSelect={(row: Row) =>
        projectId !== null &&
        replaceRoute(withQuery(hashOf('issue', projectId, row.key), { q: query.q ?? '', state }))
      }
      onEnd={readMore}
      head={
        <>
          <ListSearch of="issues" />
          <Select
            aria-label="Project"
            className={styles.project}
            value={projectId ?? ''}
            onChange={(event) => navigate(hashOf('issues', event.target.value))}
          >
            {projects?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </>
      }
      above={<Filters state={state} />}
      error={problem === null ? issues.error : null}
      below={
        issues.status === 'loading' && ready && <p className={`quiet ${styles.reading}`}>Reading issues</p>
      }
      detail={detail()}
    />
  );
}

function Filters({ state }: { readonly state: 'open' | 'closed' }) {
  return (
    <div className="filters">
      <Select
        aria-label="State"
        value={state}
        onChange={(event) => setQuery({ state: event.target.value === 'closed' ? 'closed' : '' })}
      >
        <option value="open">Open</option>
        <option value="closed">Closed</option>
      </Select>
      <span className="grow" />
      <ActButton action="issues.read" tone="ghost" icon={RotateCw}>
        Read again
      </ActButton>
    </div>
  );
}

function IssueLines({ issue }: { readonly issue: IssueRow }) {
  const { number, title, author, labels, state, comments, updatedAt } = issue;
  return (
    <TwoLines
      mark={
        <Status tone="grey" icon={state === 'open' ? CircleDot : CircleCheck} markOnly>
          {state === 'open' ? 'Open' : 'Closed'}
        </Status>
      }
      title={inPlainSight(oneLine(title, TITLE_CHARS))}
      end={<Ago at={updatedAt} />}
      under={inPlainSight(oneLine([`#${number}`, author, ...labels].join(' · '), TITLE_CHARS))}
      underEnd={
        comments > 0 && (
          <span className="with-icon" title={`${comments} ${comments === 1 ? 'comment' : 'comments'}`}>
            <Glyph of={MessageSquare} size={12} /> {comments}
          </span>
        )
      }
    />
  );
}

const NoForge = ({ children }: { readonly children: ReactNode }) => (
  <Empty
    icon={CircleDot}
    title="The issues of this project cannot be read"
    acts={
      <ActButton action="issues.read" icon={RotateCw}>
        Look again
      </ActButton>
    }
  >
    {children}
  </Empty>
);

const NoProject = () => (
  <Empty
    icon={CircleDot}
    title="There is no such project"
    acts={<Button onClick={() => navigate(hashOf('issues'))}>Show issues</Button>}
  >
    It is not in the list of projects any more.
  </Empty>
);

const NoIssues = ({ filtered }: { readonly filtered: boolean }) =>
  filtered ? (
    <Empty icon={CircleDot} title="No matching issues" />
  ) : (
    <Empty icon={CircleDot} title="No open issues">
      Open issues of the project’s forge appear here. You can start work on each.
    </Empty>
  );
