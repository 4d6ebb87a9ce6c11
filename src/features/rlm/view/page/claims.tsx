import { Marked } from '@renderer/parts/marks/marks';
import type { Word } from '@renderer/parts/words/status-words';
import { Fold } from '@renderer/ui/layout/fold';
import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react';
import type { claimFlags } from '../../contract/claims';
import type { CheckedClaim, Verification } from '../../contract/events';
import type { RlmState } from '../../contract/state';
import { verifiedClaims } from '../../contract/verified-claims';
import styles from './page.module.css';
import { Stored } from './stored-text';

const VERDICTS: Record<CheckedClaim['verdict'], Word> = {
  contradicted: { tone: 'failed', icon: CircleX, word: 'Contradicted' },
  unsupported: { tone: 'waits', icon: TriangleAlert, word: 'Not in the documents' },
  unclear: { tone: 'grey', icon: CircleHelp, word: 'Unclear' },
  supported: { tone: 'done', icon: CircleCheck, word: 'Supported' },
};
const FLAGS: Record<(typeof claimFlags)[number], string> = {
  comment_derived: 'Supported by comments only, not by the code.',
  test_code: 'About test code.',
  standard_idiom: 'This is normal use of the language.',
};
const ORDER = Object.keys(VERDICTS);

interface ClaimsProps {
  readonly runId: number;
  readonly rlm: RlmState;
  readonly verification: Verification;
}

/** A second model's verdict on each claim of the answer, doubtful ones first. */
export function Claims({ runId, rlm, verification }: ClaimsProps) {
  const { trouble, reply, model } = verification;
  const { codeVerification } = rlm;
  const claims = verifiedClaims(rlm);
  const sorted = claims.toSorted((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));
  return (
    <section aria-label="Verification" className={styles.citations}>
      <h3>Verification{model !== '' && <span className="faint note"> by {model}</span>}</h3>
      {trouble !== null && <p className="waits-text note">The answer was not verified: {trouble}.</p>}
      {codeVerification !== null && codeVerification.trouble !== null && (
        <p className="waits-text note">Its claims were not checked as code: {codeVerification.trouble}.</p>
      )}
      {trouble === null && claims.length === 0 && <p className="quiet note">It found no claims to check.</p>}
      <ul>
        {sorted.map(({ claim, verdict, reason, flags }) => (
          <li key={`${verdict} ${claim}`} className={styles.claim}>
            <Marked word={VERDICTS[verdict]} />
            <span className="reads">
              {claim}
              {reason !== '' && <span className="faint note"> {reason}</span>}
              {flags?.map((flag) => (
                <span key={flag} className="waits-text note">
                  {` ${FLAGS[flag]}`}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {reply !== null && (
        <Fold head={<span className="quiet">Its reply</span>}>
          <Stored runId={runId} of={reply} label="Reply of the verification" />
        </Fold>
      )}
      {codeVerification?.reply && (
        <Fold head={<span className="quiet">Reply about the code</span>}>
          <Stored runId={runId} of={codeVerification.reply} label="Reply about the code" />
        </Fold>
      )}
    </section>
  );
}
