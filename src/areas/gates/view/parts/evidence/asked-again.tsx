import type { OnShown } from '@areas/changes/view/parts/changes';
import type { DiffReview } from '@areas/changes/view/parts/desk/use-desk';
import { type EvidencePiece, evidencePieces } from '@areas/evidence/contract/evidence';
import { Evidence } from '@areas/evidence/view/parts/evidence';
import { useQuery } from '@renderer/client/hooks';
import { Ago } from '@renderer/parts/text/ago';
import { DiffView } from '@renderer/ui/code/diff';
import { Segments } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { AskedBefore } from '../../../contract/previous-answer';
import type { GateFace } from '../face';
import styles from './asked-again.module.css';
import { comparedPieces } from './compared-pieces';

/** The operator's answer when this was asked the last time; nothing if it is asked for the first time. */
export function useAskedBefore({ runId, gateId }: GateFace): AskedBefore | null {
  return useQuery('gate.before', { runId, gateId }).value?.before ?? null;
}

export function AskedAgain({ before }: { before: AskedBefore }) {
  const { round, answer, reason, at } = before;
  return (
    <section className={styles.askedAgain} aria-label="Asked again">
      <p className="quiet note">
        <Glyph of={RotateCcw} size={13} /> Asked again, for the {ordinal(round)} time. You answered {answer}{' '}
        <Ago at={at} />
      </p>
      <blockquote className="reads">{inPlainSight(reason)}</blockquote>
    </section>
  );
}

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const ordinal = (value: number): string => ORDINALS[value] ?? `${value}th`;

type Shown = 'new' | 'difference' | 'previous';

interface ComparedProps {
  readonly runId: number;
  readonly pieces: readonly EvidencePiece[];
  readonly before: AskedBefore;
  readonly review: DiffReview | null;
  readonly onShown: OnShown;
}

/** The current evidence, the changes since the last asking, or the evidence as it was then. */
export function Compared({ runId, pieces, before, review, onShown }: ComparedProps) {
  const [shown, setShown] = useState<Shown>('difference');
  const previous = evidencePieces(before, 'markdown');
  const isSame = JSON.stringify(previous) === JSON.stringify(pieces);
  return (
    <>
      <div className={styles.choice}>
        <Segments<Shown>
          label="What is shown"
          value={shown}
          options={[
            { value: 'new', label: 'New' },
            { value: 'difference', label: 'Difference' },
            { value: 'previous', label: 'Previous' },
          ]}
          onChange={setShown}
        />
        {isSame && <span className="waits-text note">Nothing changed since then</span>}
      </div>
      {shown === 'new' && <Evidence pieces={pieces} runId={runId} review={review} onShown={onShown} />}
      {shown === 'previous' && <Evidence pieces={previous} runId={runId} />}
      {shown === 'difference' && (
        <Difference runId={runId} pieces={pieces} previous={previous} onShown={onShown} />
      )}
    </>
  );
}

function Difference({
  runId,
  pieces,
  previous,
  onShown,
}: Pick<ComparedProps, 'runId' | 'pieces' | 'onShown'> & {
  previous: EvidencePiece[];
}) {
  const [changes, texts] = [true, false].map((is) =>
    pieces.filter(({ capture }) => (capture !== undefined) === is),
  );
  const compared = comparedPieces(
    previous.filter(({ capture }) => capture === undefined),
    texts ?? [],
  );
  const rows = compared.map(({ name, before, now }) =>
    before === now ? (
      <p key={name} className="quiet note">
        {inPlainSight(name)}: unchanged
      </p>
    ) : (
      <DiffView key={name} path={name} oldText={before} newText={now} />
    ),
  );
  return (
    <>
      {rows}
      {/* A change is compared with its beginning, as always: two diffs have no readable difference. */}
      <Evidence pieces={changes ?? []} runId={runId} onShown={onShown} />
    </>
  );
}
