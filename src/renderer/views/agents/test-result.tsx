import type { AgentTest } from '@contract/catalog/procedures';
import { duration } from '@contract/time-words';
import { CircleCheck, CircleX } from 'lucide-react';
import { Status } from '../../ui/controls/status';
import { Section } from '../../ui/layout/facts';
import styles from './test-result.module.css';

/** The checks of a test; the first failed one ends it. */
export function TestResult({ test }: { test: AgentTest }) {
  return (
    <Section title={test.ok ? 'The test passed' : 'The test failed'}>
      <ol className={styles.checks} aria-live="polite">
        {test.checks.map((check) => (
          <li key={check.name}>
            <Status tone={check.ok ? 'done' : 'failed'} icon={check.ok ? CircleCheck : CircleX} markOnly>
              {check.ok ? 'Works' : 'Fails'}
            </Status>
            <span className={styles.checkName}>{check.name}</span>
            <span className="quiet grow reads">{check.detail}</span>
            <span className="faint note">{duration(check.ms)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
