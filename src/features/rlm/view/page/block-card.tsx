import { Marked } from '@renderer/parts/marks/marks';
import { Printed } from '@renderer/ui/code/code';
import { Fold } from '@renderer/ui/layout/fold';
import type { BlockState } from '../../contract/state';
import { blockWord, lostWords } from '../words';
import styles from './page.module.css';
import { SubCalls } from './sub-calls';

interface BlockCardProps {
  readonly runId: number;
  readonly block: BlockState;
}

/** One block of code with its sub-calls and output. */
export function BlockCard({ runId, block }: BlockCardProps) {
  const { code, end } = block;
  const number = block.block + 1;
  return (
    <section className={styles.block} aria-label={`Block ${number}`}>
      <header className={styles.blockHead}>
        <h3>Block {number}</h3>
        <Marked word={blockWord(block)} />
      </header>
      {/* Folded, because the model's text above contains it too. */}
      <Fold head={<span>Code</span>}>
        <Printed label={`Code of block ${number}`} text={code} />
      </Fold>
      <SubCalls runId={runId} block={block} />
      {end?.kind === 'lost' && (
        <p className="failed-text note">
          {lostWords[end.reason]}
          {end.detail !== undefined && ` ${end.detail}`}
        </p>
      )}
      {end?.kind === 'finished' && <Output number={number} result={end.result} />}
    </section>
  );
}

type Result = Extract<NonNullable<BlockState['end']>, { kind: 'finished' }>['result'];

function Output({ number, result }: { readonly number: number; readonly result: Result }) {
  const { stdout, stderr, error, dropped, variables } = result;
  const printed = [stdout, stderr].filter((text) => text.trim() !== '').join('\n');
  return (
    <>
      {printed === '' ? (
        <p className="faint note">No output.</p>
      ) : (
        <Printed label={`Output of block ${number}`} text={printed} />
      )}
      {dropped > 0 && <p className="quiet note">{dropped} more characters of output were not kept.</p>}
      {error !== null && <Printed label={`Exception of block ${number}`} text={error} />}
      {variables.length > 0 && (
        <p className="faint note cut" title={variables.join(', ')}>
          Variables: {variables.join(', ')}
        </p>
      )}
    </>
  );
}
