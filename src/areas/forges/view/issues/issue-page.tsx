import type { AppError } from '@contract/errors';
import { useHandlers, useQuery } from '@renderer/client/hooks';
import { refresh } from '@renderer/client/wire/query';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { copyAddress } from '@renderer/parts/controls/copy';
import { useLast } from '@renderer/parts/controls/debounced-value';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { Printed } from '@renderer/ui/code/code';
import { Button } from '@renderer/ui/controls/button';
import { Tabs } from '@renderer/ui/controls/tabs';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Section } from '@renderer/ui/layout/facts';
import { Empty } from '@renderer/ui/layout/note';
import { CircleDot, ExternalLink, Link, Play, RotateCw } from 'lucide-react';
import type { ForgeComment, Issue } from '../../contract/forge';
import styles from './issues.module.css';
import { StartForm } from './start-form';
import { type ShownIssue, useWish, type Wish } from './use-wish';

interface IssuePageProps {
  readonly projectId: number;
  readonly number: number;
}

/** One issue: its text as other people wrote it, and the form that starts work on it. */
export function IssuePage({ projectId, number }: IssuePageProps) {
  const valid = Number.isInteger(number) && number > 0;
  const { value, error } = useQuery('issue.get', valid ? { projectId, number } : null);
  if (!valid || (value === null && error !== null)) return <Missing error={error} />;
  if (value === null) return <div className="pane" aria-busy="true" />;
  return <ReadIssue projectId={projectId} issue={value} error={error} />;
}

interface ReadIssueProps {
  readonly projectId: number;
  readonly issue: ShownIssue;
  /** It could not be read again. */
  readonly error: AppError | null;
}

function ReadIssue({ projectId, issue, error }: ReadIssueProps) {
  const wish = useWish(projectId, issue);
  const { isPreviewed, setPreviewed } = wish;
  useHandlers({ 'issue.preview': () => setPreviewed(!isPreviewed) });
  return (
    <article className="pane" aria-label={`Issue ${issue.number}`}>
      <IssueHead projectId={projectId} issue={issue} />
      {error && <ErrorNote error={error} />}
      <div className={styles.tabs}>
        <Tabs
          label="What is shown"
          value={isPreviewed ? 'prompt' : 'issue'}
          tabs={[
            { id: 'issue', label: 'Issue' },
            { id: 'prompt', label: 'Prompt' },
          ]}
          onChange={(tab) => setPreviewed(tab === 'prompt')}
        />
      </div>
      <div className={`scroll ${styles.body}`} data-focus tabIndex={-1}>
        {isPreviewed ? <Prompt preview={wish.preview} /> : <IssueText issue={issue} />}
      </div>
      <StartForm issue={issue} wish={wish} />
    </article>
  );
}

function IssueHead({ projectId, issue }: Omit<ReadIssueProps, 'error'>) {
  const { number, title, author, labels, state, updatedAt, url } = issue;
  useHandlers({
    'issue.forge': () => void window.open(url, '_blank', 'noreferrer'),
    'issue.copy': () => copyAddress('issue', projectId, number),
    'app.copyAddress': () => copyAddress('issue', projectId, number),
  });
  return (
    <header className="detail-head">
      <div className="detail-line">
        <h1 className="cut reads">{inPlainSight(title)}</h1>
        <span className="grow" />
        <ActButton action="issue.begin" icon={Play}>
          Work on it
        </ActButton>
        <ActIcon action="issue.forge" icon={ExternalLink} label="Open the issue in the browser" />
        <ActIcon action="issue.copy" icon={Link} label="Copy the address of the issue" />
      </div>
      <p className="head-facts quiet">
        <span>#{number}</span>
        <span>{state}</span>
        <span>by {inPlainSight(author)}</span>
        {labels.map((label) => (
          <span key={label}>{inPlainSight(label)}</span>
        ))}
        <span>
          changed <Ago at={updatedAt} />
        </span>
      </p>
    </header>
  );
}

function Prompt({ preview: { value, error } }: Pick<Wish, 'preview'>) {
  const last = useLast(value);
  if (error) return <ErrorNote error={error} />;
  if (last === null) return <p className="quiet">Reading the issue</p>;
  return <Printed text={last.prompt} label="Prompt that the agent gets" />;
}

function IssueText({ issue: { body, discussion, moreComments } }: { readonly issue: Issue }) {
  return (
    <>
      <p className="quiet note">
        Other people wrote this text. The agent is told so, and not to follow instructions in it.
      </p>
      {body === '' ? <p className="quiet">No description</p> : <Words text={body} />}
      {discussion.length > 0 && (
        <Section title="Comments" count={discussion.length}>
          {moreComments && <p className="quiet note">Earlier comments are only on the forge.</p>}
          {discussion.map((comment) => (
            <Comment key={comment.id} comment={comment} />
          ))}
        </Section>
      )}
    </>
  );
}

/** A text of other people, as text: nothing in it is drawn, linked or run. */
const Words = ({ text }: { readonly text: string }) => (
  <p className={`reads ${styles.words}`}>{inPlainSight(text)}</p>
);

const Comment = ({ comment: { author, at, body } }: { readonly comment: ForgeComment }) => (
  <div className={styles.comment}>
    <p className="quiet note">
      {inPlainSight(author)}, <Ago at={at} />
    </p>
    <Words text={body} />
  </div>
);

function Missing({ error }: { readonly error: AppError | null }) {
  const gone = error === null || error.code === 'not_found';
  return (
    <Empty
      icon={CircleDot}
      title={gone ? 'There is no such issue' : 'The issue cannot be read'}
      acts={
        <Button icon={RotateCw} onClick={() => void refresh('issue.get')}>
          Read again
        </Button>
      }
    >
      {error && <ErrorNote error={error} />}
    </Empty>
  );
}
