import { useHandlers, useQuery } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt, offer } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ActButton } from '@renderer/parts/controls/act';
import { RunWorkflow } from '@renderer/parts/controls/run-workflow';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago, Until } from '@renderer/parts/text/ago';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Empty } from '@renderer/ui/layout/note';
import { House } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { Home } from '../contract/procedures';
import styles from './home.module.css';
import { type HomeLine, type HomeSection, homeFacts, homeSections } from './lines';

/** What ended, failed, waits and cost since the operator last looked, on one screen. */
export function HomeView() {
  const { value: home, status, error } = useQuery('home.get', {});
  const body = useRef<HTMLDivElement>(null);
  const sections = useMemo(() => (home === null ? [] : homeSections(home)), [home]);
  const move = (by: 1 | -1) => () => focusLine(body.current, by);
  useHandlers({
    'home.looked': home === null ? null : () => void looked(home.now),
    'list.next': move(1),
    'list.previous': move(-1),
    'issues.open': () => navigate(hashOf('issues')),
  });
  return (
    <section className="pane" aria-label="Home" aria-busy={status === 'loading'}>
      <header className="pane-head">
        {home && <Since home={home} />}
        <span className="grow" />
        <ActButton action="home.looked" disabled={home === null}>
          Mark as seen
        </ActButton>
      </header>
      {error && <ErrorNote error={error} />}
      {home && (
        <div ref={body} className={`${styles.body} scroll`}>
          <div className={styles.facts}>
            {homeFacts(home).map(({ text, hash }) => (
              <a key={text} href={hash}>
                {text}
              </a>
            ))}
          </div>
          {sections.length === 0 ? (
            <Empty icon={House} title="Nothing happened since then" acts={<RunWorkflow />} />
          ) : (
            <div className={styles.sections}>
              {sections.map((section) => (
                <Section key={section.title} section={section} />
              ))}
            </div>
          )}
          {home.more && (
            <p className="quiet">
              More runs have ended. <a href={hashOf('runs')}>Show all runs</a>
            </p>
          )}
        </div>
      )}
    </section>
  );
}

function Since({ home: { lookedAt, since } }: { home: Home }) {
  if (lookedAt === null) return <p>What happened in the last day</p>;
  return (
    <p>
      Since you last looked, <Ago at={since} />
    </p>
  );
}

function Section({ section: { title, lines, count } }: { section: HomeSection }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>
        {title} <span className="count">{count}</span>
      </h2>
      <ul>
        {lines.map((line) => (
          <li key={line.key}>
            <Line line={line} />
          </li>
        ))}
      </ul>
      {count > lines.length && (
        <a className={styles.all} href={hashOf('inbox')}>
          Show all {count} in the inbox
        </a>
      )}
    </section>
  );
}

function Line({ line: { hash, title, under, at, comes, word } }: { line: HomeLine }) {
  return (
    <a className={styles.line} href={hash} data-part="home-line" draggable={false}>
      {word && (
        <span className={styles.mark}>
          <Marked word={word} markOnly />
        </span>
      )}
      <span className={styles.words}>
        <span>{inPlainSight(title)}</span>
        <span className="note quiet">{inPlainSight(under)}</span>
      </span>
      {at !== null && <span className={styles.time}>{comes ? <Until at={at} /> : <Ago at={at} />}</span>}
    </a>
  );
}

/** Wherever the focus is: moves to the first line, or to an adjacent one. */
function focusLine(body: HTMLElement | null, by: 1 | -1): void {
  const lines = [...(body?.querySelectorAll<HTMLElement>('[data-part="home-line"]') ?? [])];
  const { activeElement: focused } = document;
  const at = focused instanceof HTMLElement ? lines.indexOf(focused) : -1;
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), lines.length - 1);
  lines[next]?.focus();
}

/** Marks everything up to the shown time as seen: later events are shown the next time. */
async function looked(at: number | null): Promise<void> {
  const done = await attempt(call('home.looked', { at }));
  if (done === null) return;
  await refresh('home.get');
  offer('Everything is marked as seen', { verb: 'Undo', run: () => void takeBack(done.before) });
}

async function takeBack(before: number | null): Promise<void> {
  if ((await attempt(call('home.looked', { at: before }))) !== null) await refresh('home.get');
}
