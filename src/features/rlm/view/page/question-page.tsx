import { Replay, useShownRun } from '@areas/runs/view/parts/scrubber/shown-run';
import { useDraft, useHandlers, useRoute, useRunStatus } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, setQuery } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { atMoment } from '@renderer/client/runs/moment';
import { attempt } from '@renderer/client/toasts';
import { copyAddress } from '@renderer/parts/controls/copy';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { PastOf } from '@renderer/parts/text/shown-time';
import { useMemo } from 'react';
import { type QuestionRow, questionRow } from '../../contract/summary';
import { hashOfQuestion, pathOf, type QuestionAt } from '../place';
import { openByItself, pageRows } from '../rows';
import { draftOf } from '../start/again';
import { QuestionHead } from './question-head';
import { QuestionTrail } from './question-trail';

interface QuestionPageProps {
  readonly at: QuestionAt;
  /** The row named in the address. */
  readonly current: string | null;
}

/** One question: its documents, its iterations as they happen, and its answer. */
export function QuestionPage({ at, current }: QuestionPageProps) {
  const { state, moment, past } = useShownRun(at.runId);
  const { error, row: run } = useRunStatus(at.runId, moment);
  const { query } = useRoute();
  const activation = state?.activations[at.activationId];
  const rlm = state?.rlm[at.activationId];
  const row = useMemo(
    () =>
      state === null || activation === undefined
        ? null
        : questionRow(state, activation, { runId: at.runId, projectName: run?.projectName ?? '' }),
    [state, activation, run, at.runId],
  );
  const rows = useMemo(
    () => (state === null || activation === undefined ? [] : pageRows(state, activation, row?.of ?? 0)),
    [state, activation, row],
  );
  const [, keepDraft] = useDraft(`question/new/${row?.projectId ?? 0}`);
  useActions({
    at,
    row,
    current,
    now: moment === null,
    again: () => {
      if (state !== null) keepDraft(draftOf(state, at.activationId));
    },
  });
  const closed = query.open === 'no';
  const shown = current ?? openByItself(rows);
  const choose = (key: string) => replaceRoute(atMoment(hashOfQuestion(at, key)));
  return (
    <article className="pane" aria-label={`Question ${row?.question ?? at.runId}`}>
      <PastOf value={past}>
        {row && <QuestionHead row={row} />}
        <Replay runId={at.runId} />
        {error && <ErrorNote error={error} />}
        {rlm?.held && <ErrorNote error={rlm.held} />}
        {state && (
          <QuestionTrail
            runId={at.runId}
            state={state}
            rlm={rlm}
            rows={rows}
            current={current}
            open={closed ? null : shown}
            onGo={choose}
            onToggle={(key) => {
              if (key === shown) setQuery({ open: closed ? '' : 'no' });
              else choose(key);
            }}
          />
        )}
      </PastOf>
    </article>
  );
}

interface ActionsOf {
  readonly at: QuestionAt;
  readonly row: QuestionRow | null;
  readonly current: string | null;
  /** Whether the page shows the question's current state. */
  readonly now: boolean;
  readonly again: () => void;
}

function useActions({ at, row, current, now, again }: ActionsOf): void {
  const { runId } = at;
  const copy = () => copyAddress(...pathOf(at, current));
  const live = row?.live === true;
  const acts = now ? row : null;
  useHandlers({
    'question.interrupt':
      acts?.interruptible === true
        ? () => void attempt(call('rlm.interrupt', { runId }), 'The code is interrupted')
        : null,
    'question.stop': now && live ? () => void attempt(call('run.cancel', { runId })) : null,
    'question.resume': acts?.resumable === true ? () => void attempt(call('run.resume', { runId })) : null,
    'question.again':
      acts === null || live
        ? null
        : () => {
            again();
            navigate(`${hashOf('questions', 'new')}?project=${acts.projectId}`);
          },
    'question.run': () => navigate(hashOf('run', runId)),
    'question.copy': copy,
    'app.copyAddress': copy,
  });
}
