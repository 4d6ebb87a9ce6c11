import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { Printed } from '@renderer/ui/code/code';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Facts, Section } from '@renderer/ui/layout/facts';
import { Fold } from '@renderer/ui/layout/fold';
import { Note } from '@renderer/ui/layout/note';
import type { Check, ForgeComment, PullView, Review } from '../../contract/forge';
import type { PullRecord } from '../../contract/pull';
import { oneLine, visibleText } from '../../contract/untrusted';
import { standing, standingReviews } from '../../contract/verdict';
import styles from './pull.module.css';
import { checkWords, reviewWords, standingWords } from './pull-words';

const NAME_CHARS = 100;
const TEXT_CHARS = 20_000;

const named = (text: string): string => inPlainSight(oneLine(text, NAME_CHARS));

/** A pull request as last read: what blocks it, its checks with the end of their logs, reviews, comments. */
export function PullState({ record }: { readonly record: PullRecord }) {
  const { view, error, asked, repository, host, branch, fix } = record;
  return (
    <>
      <p className={styles.standing}>
        <Marked word={standingWords[standing(record)]} chip />
      </p>
      <Facts
        facts={[
          { name: 'Repository', value: `${host}/${repository}` },
          { name: 'Branch', value: <span className="mono">{branch}</span> },
          view !== null && { name: 'Into', value: <span className="mono">{inPlainSight(view.base)}</span> },
        ]}
      />
      {error !== null && asked !== null && <ErrorNote error={error} />}
      {view?.blocked != null && view.state === 'open' && <Note>{inPlainSight(view.blocked)}</Note>}
      {fix !== null && <FixRounds fix={fix} />}
      {view === null ? <p className="quiet">It was not read yet.</p> : <PullParts view={view} />}
    </>
  );
}

function FixRounds({ fix: { round, of, ended } }: { readonly fix: NonNullable<PullRecord['fix']> }) {
  if (ended === null)
    return <Note>{`Fixing, round ${round} of ${of}. Each result is pushed by itself.`}</Note>;
  return <Note>{`Fixing ended in round ${round} of ${of}: ${inPlainSight(ended)}`}</Note>;
}

function PullParts({ view }: { readonly view: PullView }) {
  const { checks, reviews, comments, moreComments } = view;
  const shown = standingReviews(reviews);
  return (
    <>
      <Section title="Checks" count={checks.length}>
        {checks.length === 0 && <p className="faint">No checks ran yet.</p>}
        {checks.map((check) => (
          <CheckLine key={check.id} check={check} />
        ))}
      </Section>
      <Section title="Reviews" count={shown.length}>
        {shown.length === 0 && <p className="faint">No one approved it or requested changes.</p>}
        {shown.map((review) => (
          <ReviewLines key={review.id} review={review} />
        ))}
      </Section>
      {comments.length > 0 && (
        <Section title="Comments" count={comments.length}>
          {moreComments && <p className="quiet note">More comments are only on the forge.</p>}
          {comments.map((comment) => (
            <CommentLines key={comment.id} comment={comment} />
          ))}
        </Section>
      )}
    </>
  );
}

function CheckLine({ check: { name, state, log } }: { readonly check: Check }) {
  const head = (
    <span className={styles.check}>
      <Marked word={checkWords[state]} markOnly /> <span className="cut">{named(name)}</span>
    </span>
  );
  if (log === null || log === '')
    return (
      <p className={styles.plainCheck}>
        {head}
        {state === 'failed' && <span className="faint note">no log</span>}
      </p>
    );
  return (
    <Fold head={head} open={state === 'failed'}>
      <Printed text={visibleText(log, TEXT_CHARS)} label={`End of the log of ${named(name)}`} />
    </Fold>
  );
}

const ReviewLines = ({ review: { author, verdict, body, at } }: { readonly review: Review }) => (
  <div className={styles.words}>
    <p className="quiet">
      <Marked word={reviewWords[verdict]} /> by {named(author)}, <Ago at={at} />
    </p>
    {body !== '' && <Words text={body} />}
  </div>
);

const CommentLines = ({ comment: { author, path, line, body, at } }: { readonly comment: ForgeComment }) => (
  <div className={styles.words}>
    <p className="quiet note">
      {named(author)}
      {path !== null && (
        <>
          {' on '}
          <span className="mono">
            {named(path)}
            {line === null ? '' : `:${line}`}
          </span>
        </>
      )}
      , <Ago at={at} />
    </p>
    <Words text={body} />
  </div>
);

/** A text of other people, as text: nothing in it is drawn, linked or run. */
const Words = ({ text }: { readonly text: string }) => (
  <p className={`reads ${styles.text}`}>{inPlainSight(visibleText(text, TEXT_CHARS))}</p>
);
