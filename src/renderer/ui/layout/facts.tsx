import type { ReactNode } from 'react';
import styles from './facts.module.css';

interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and values in two columns; a fact without a value is left out. */
export function Facts({ facts }: { facts: readonly (Fact | null | false)[] }) {
  const shown = facts.filter((fact) => fact !== null && fact !== false);
  if (shown.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {shown.map((fact) => (
        <div key={fact.name}>
          <dt>{fact.name}</dt>
          <dd className="reads">{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionProps {
  readonly title: string;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
  readonly count?: number | undefined;
}

export function Section({ title, acts, count, children }: SectionProps) {
  return (
    <section className="section" aria-label={title}>
      <header>
        <h2>
          {title}
          {count !== undefined && <span className="count">{count}</span>}
        </h2>
        {acts}
      </header>
      {children}
    </section>
  );
}
