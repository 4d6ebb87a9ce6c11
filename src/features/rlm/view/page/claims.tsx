import { Marked } from '@renderer/parts/marks';
import type { Word } from '@renderer/parts/words';
import { Fold } from '@renderer/ui/fold';
import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react';
import type { CheckedClaim, Verification } from '../../contract/events';
import styles from './page.module.css';
import { Stored } from './stored-text';

const VERDICTS: Record<CheckedClaim['verdict'], Word> = {
  contradicted: { tone: 'failed', icon: CircleX, word: 'Contradicted' },
  unsupported: { tone: 'waits', icon: TriangleAlert, word: 'Not in the documents' },
  unclear: { tone: 'grey', icon: CircleHelp, word: 'Unclear' },
  supported: { tone: 'done', icon: CircleCheck, word: 'Supported' },
};
const ORDER = Object.keys(VERDICTS);

interface ClaimsProps {
  readonly runId: number;
  readonly verification: Verification;
}

/** What a second model says about each claim of the answer, what it doubts first. */
export function Claims({ runId, verification }: ClaimsProps) {
  const { claims, trouble, reply, model } = verification;
  const sorted = claims.toSorted((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));
  return (
    <section aria-label="Verification" className={styles.citations}>
      <h3>Verification{model !== '' && <span className="faint note"> by {model}</span>}</h3>
      {trouble !== null && <p className="waits-text note">The answer was not verified: {trouble}.</p>}
      {trouble === null && claims.length === 0 && <p className="quiet note">It found no claim to check.</p>}
      <ul>
        {sorted.map(({ claim, verdict, reason }) => (
          <li key={`${verdict} ${claim}`} className={styles.claim}>
            <Marked word={VERDICTS[verdict]} />
            <span className="reads">
              {claim}
              {reason !== '' && <span className="faint note"> {reason}</span>}
            </span>
          </li>
        ))}
      </ul>
      {reply !== null && (
        <Fold head={<span className="quiet">Its reply</span>}>
          <Stored runId={runId} of={reply} label="Reply of the verification" />
        </Fold>
      )}
    </section>
  );
}
