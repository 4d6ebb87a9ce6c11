import { ruleIdOf } from '@areas/permissions/contract/rule';
import { RuleName } from '@areas/permissions/view/parts/rule-name';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { answerWord } from '@renderer/parts/words/status-words';
import { allowsRequest } from '../../../contract/gate';
import type { GateFace } from '../face';

/** The decision, who made it, and its effect. */
export function GateOutcome({ gate }: { gate: GateFace }) {
  if (gate.status === 'withdrawn') {
    return (
      <div className="gate-outcome quiet">
        <span>
          Withdrawn {gate.closedAt !== null && <Ago at={gate.closedAt} />}
          {gate.withdrawn && `: ${gate.withdrawn}`}
        </span>
      </div>
    );
  }
  if (gate.answer === null) return null;
  const ruleId = ruleIdOf(gate.by);
  const word = answerWord(gate.options, gate.answer);
  const ruled = allowsRequest(gate.answer) ? 'Allowed' : 'Denied';
  const option = gate.options.find((option) => option.id === gate.answer?.option);
  return (
    <div className="gate-outcome">
      <p>
        <Marked word={ruleId === null ? word : { ...word, word: ruled }} />{' '}
        <span className="quiet">
          by {ruleId === null ? (gate.by ?? 'the operator') : <RuleName id={ruleId} />}{' '}
          {gate.closedAt !== null && <Ago at={gate.closedAt} />}
        </span>
      </p>
      {option && ruleId === null && <p className="quiet">{option.effect}</p>}
      {gate.answer.rule && (
        <p className="quiet">
          Made <RuleName id={gate.answer.rule} />
        </p>
      )}
      {gate.answer.reason && <blockquote className="reads">{gate.answer.reason}</blockquote>}
      {gate.answer.text && <blockquote className="reads">{gate.answer.text}</blockquote>}
      {gate.kind === 'permission' && gate.delivered === false && (
        <p className="note faint">
          The answer is kept, and given when the agent asks the same question again.
        </p>
      )}
    </div>
  );
}
