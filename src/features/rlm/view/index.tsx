import { useHandlers, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, withQuery } from '@renderer/client/route';
import { ActIcon } from '@renderer/parts/controls/act';
import { useEarlier } from '@renderer/parts/lists/earlier-runs';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { QuestionListItem } from './list-row';
import { QuestionPage } from './page/question-page';
import { hashOfQuestion, placeOf } from './place';
import { keyOfQuestion, type QuestionListRow, questionAt, questionListRows } from './rows';
import { QuestionStart } from './start/start-page';

/** All questions of all runs: their status, answers and cost. */
export function QuestionsView() {
  const { path, query } = useRoute();
  const listed = useEarlier('rlm.list');
  const { value, status, error } = listed;
  const questions = value?.rows ?? [];
  const starts = path[0] === 'questions' && path[1] === 'new';
  const place = placeOf(path);
  const open = questionAt(questions, place) ?? (place === null && !starts ? (questions[0] ?? null) : null);
  const rows = useMemo(() => questionListRows(value?.rows ?? [], query.q ?? ''), [value, query.q]);
  const selected = open === null ? null : keyOfQuestion(open);
  const select = (row: QuestionListRow) =>
    row.kind === 'question' && replaceRoute(withQuery(hashOfQuestion(row.question), { q: query.q ?? '' }));
  useHandlers({ 'question.new': () => navigate(hashOf('questions', 'new')) });
  const list = {
    title: 'Questions',
    rows,
    selected,
    draw: (row: QuestionListRow) => <QuestionListItem row={row} />,
    onSelect: select,
    head: (
      <>
        <ListSearch of="questions" />
        <ActIcon action="question.new" icon={Plus} label="Ask a question" active={starts} />
      </>
    ),
    error,
    earlier: listed,
  };
  const nothing = status === 'ready' && questions.length === 0 && place === null;
  if (starts || nothing)
    return (
      <ListView
        id="questions"
        front={starts ? 'detail' : 'list'}
        {...list}
        detail={<QuestionStart wanted={query.project ?? null} first={nothing && !starts} />}
      />
    );
  const activationId = place?.activationId ?? open?.activationId ?? null;
  const runId = place?.runId ?? open?.runId ?? null;
  return (
    <ListView
      id="questions"
      front={path[0] === 'question' ? 'detail' : 'list'}
      {...list}
      detail={
        runId !== null &&
        activationId !== null && (
          <QuestionPage
            key={`${runId}/${activationId}`}
            at={{ runId, activationId }}
            current={place?.row ?? null}
          />
        )
      }
    />
  );
}
