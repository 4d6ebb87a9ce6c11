import { count, plural, spend } from '@renderer/client/format';
import { elapsed } from '@renderer/client/time';
import { Marked } from '@renderer/parts/marks/marks';
import type { Word } from '@renderer/parts/words/status-words';
import { Fold } from '@renderer/ui/layout/fold';
import { Stack } from '@renderer/ui/lists/stack';
import { CircleCheck, CircleDashed, CircleX, Hourglass } from 'lucide-react';
import type { BlockState, SubCall } from '../../contract/state';
import { spentBy } from '../../contract/summary';
import styles from './page.module.css';
import { Stored } from './stored-text';

/** Longer lists scroll separately, and only the visible part is drawn. */
const MOST_PLAIN = 30;

const WORDS = {
  waiting: { tone: 'grey', icon: CircleDashed, word: 'Not sent yet' },
  underWay: { tone: 'running', icon: Hourglass, word: 'In progress' },
  answered: { tone: 'done', icon: CircleCheck, word: 'Answered' },
  failed: { tone: 'failed', icon: CircleX, word: 'No answer' },
  before: { tone: 'done', icon: CircleCheck, word: 'Answered before' },
} as const satisfies Readonly<Record<string, Word>>;

function callWord({ started, answer, unasked }: SubCall): Word {
  if (answer?.ok === true) return unasked ? WORDS.before : WORDS.answered;
  if (answer !== null) return WORDS.failed;
  return started ? WORDS.underWay : WORDS.waiting;
}

const paidAnswer = ({ answer, unasked }: SubCall) => (answer === null || unasked ? [] : [answer]);

interface SubCallsProps {
  readonly runId: number;
  readonly block: BlockState;
}

/** A block's sub-calls, batch by batch. */
export function SubCalls({ runId, block }: SubCallsProps) {
  const calls = block.batches.flatMap(({ calls: some }) => some);
  if (calls.length === 0) return null;
  const answered = calls.filter(({ answer }) => answer !== null).length;
  const { tokens, costUsd } = spentBy(calls.flatMap(paidAnswer));
  const used = spend(tokens, costUsd ?? 0);
  return (
    <Fold
      head={
        <span>
          {plural(calls.length, 'sub-call')}
          {answered < calls.length && `, ${answered} answered`}
          {used !== '' && <span className="faint"> · {used}</span>}
        </span>
      }
    >
      {calls.length > MOST_PLAIN ? (
        <div className={styles.manyCalls}>
          <Stack
            label="Sub-calls"
            rows={calls.map((call, index) => ({ key: String(index), guess: 30, call, number: index + 1 }))}
            draw={({ call, number }) => <Call runId={runId} call={call} number={number} />}
          />
        </div>
      ) : (
        <ol className={styles.calls} aria-label="Sub-calls">
          {calls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a sub-call is identified by its index
            <li key={index}>
              <Call runId={runId} call={call} number={index + 1} />
            </li>
          ))}
        </ol>
      )}
    </Fold>
  );
}

interface CallProps {
  readonly runId: number;
  readonly call: SubCall;
  readonly number: number;
}

function Call({ runId, call, number }: CallProps) {
  const { prompt, answer } = call;
  const { tokens, costUsd } = spentBy(paidAnswer(call));
  return (
    <Fold
      head={
        <span className={styles.callHead}>
          <span>Sub-call {number}</span>
          <Marked word={callWord(call)} />
          <span className="faint note cut">
            {[
              answer?.model ?? '',
              `${count(prompt.chars)} characters`,
              answer === null ? '' : elapsed(answer.durationMs),
              spend(tokens, costUsd ?? 0),
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          </span>
        </span>
      }
    >
      <p className="faint note">Prompt</p>
      <Stored runId={runId} of={prompt} label={`Prompt of sub-call ${number}`} />
      {answer !== null && (
        <>
          <p className="faint note">Answer</p>
          <Stored runId={runId} of={answer.answer} label={`Answer to sub-call ${number}`} />
        </>
      )}
    </Fold>
  );
}
