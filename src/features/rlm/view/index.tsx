import { useHandlers, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, setQuery } from '@renderer/client/route';
import { ActIcon } from '@renderer/parts/act';
import { useEarlier } from '@renderer/parts/earlier';
import { ErrorNote } from '@renderer/parts/error-note';
import { Frame } from '@renderer/parts/frame';
import { openDetail, useListNav } from '@renderer/parts/list-nav';
import { RowList } from '@renderer/parts/row-list';
import { ShowEarlier } from '@renderer/parts/show-earlier';
import { TextInput } from '@renderer/ui/field';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { QuestionListItem } from './list-row';
import { QuestionPage } from './page/question-page';
import { hashOfQuestion, placeOf } from './place';
import { keyOfQuestion, questionAt, questionListRows } from './rows';
import { QuestionStart } from './start/start-page';

/** The questions of all runs: what they do, what they found and what it cost. */
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
  const select = (row: (typeof rows)[number]) =>
    row.kind === 'question' && replaceRoute(hashOfQuestion(row.question));
  useListNav({ rows, selected, onSelect: select });
  useHandlers({ 'question.new': () => navigate(hashOf('questions', 'new')) });
  const list = (
    <section className="pane" aria-label="Questions">
      <header className="pane-head">
        <TextInput
          type="search"
          aria-label="Search the questions"
          placeholder="Search"
          value={query.q ?? ''}
          onChange={(event) => setQuery({ q: event.target.value })}
        />
        <ActIcon action="question.new" icon={Plus} label="Ask a question" active={starts} />
      </header>
      {error && <ErrorNote error={error} />}
      <RowList
        label="Questions"
        rows={rows}
        selected={selected}
        draw={(row) => <QuestionListItem row={row} />}
        onSelect={select}
        onOpen={openDetail}
      />
      <ShowEarlier of={listed} />
    </section>
  );
  const nothing = status === 'ready' && questions.length === 0 && place === null;
  if (starts || nothing)
    return (
      <Frame
        id="questions"
        front={starts ? 'detail' : 'list'}
        list={list}
        detail={<QuestionStart wanted={query.project ?? null} first={nothing && !starts} />}
      />
    );
  const activationId = place?.activationId ?? open?.activationId ?? null;
  const runId = place?.runId ?? open?.runId ?? null;
  return (
    <Frame
      id="questions"
      front={path[0] === 'question' ? 'detail' : 'list'}
      list={list}
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
