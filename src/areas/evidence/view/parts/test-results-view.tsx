import { Printed } from '@renderer/ui/code/code';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { useMemo } from 'react';
import { readTestResults, testsWord } from '../../contract/test-results';
import type { EvidenceProps } from './evidence-props';
import { OutputText } from './output-text';
import styles from './test-results-view.module.css';

const MARKS = {
  Passed: { icon: CircleCheck, tone: 'done' },
  Failed: { icon: CircleX, tone: 'failed' },
  'Exit code not reported': { icon: CircleHelp, tone: 'grey' },
} as const;

/** The last test run: its command, its result and the end of its output. */
export function TestResultsView({ text, label }: EvidenceProps) {
  const results = useMemo(() => readTestResults(text), [text]);
  if (results === null) return <Printed text={text} label={label} />;
  if (results === 'none') return <p className="quiet">No tests were run.</p>;
  const word = testsWord(results);
  const { icon, tone } = MARKS[word];
  const { command, exitCode, output } = results;
  return (
    <section className={styles.results} aria-label={`Test results: ${word.toLowerCase()}`}>
      <p className={styles.line}>
        <span className={`status ${tone}`}>
          <Glyph of={icon} size={14} />
          <span>{word}</span>
        </span>
        <code className="mono cut reads" title={command}>
          {inPlainSight(command)}
        </code>
        {exitCode !== null && exitCode !== 0 && <span className="faint note">exit {exitCode}</span>}
      </p>
      {output === '' ? (
        <p className="quiet">No output.</p>
      ) : (
        <OutputText text={output} label="End of the test output" />
      )}
    </section>
  );
}
