import { duration } from '@contract/time-words';
import { Status } from '@renderer/ui/controls/status';
import { Section } from '@renderer/ui/layout/facts';
import { CircleCheck, CircleX } from 'lucide-react';
import type { AgentTest } from '../contract/procedures';
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
