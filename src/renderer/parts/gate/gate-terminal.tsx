import { SquareTerminal } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { useHandlers } from '../../client/hooks';
import { ActButton } from '../act';
import styles from './gate-terminal.module.css';

/** Read when a gate needs it: what draws terminals is large. */
const Pane = lazy(async () => ({ default: (await import('../terminal/terminal-pane')).TerminalPane }));

interface GateTerminalProps {
  readonly runId: number;
  readonly name: string;
}

/** The terminal in which an agent waits, as it is now: what is typed goes to it, and is kept as the operator's own. */
export function GateTerminal({ runId, name }: GateTerminalProps) {
  const ref = useRef<HTMLElement>(null);
  useHandlers({
    'gate.terminal': () =>
      ref.current?.querySelector<HTMLElement>('[data-part="terminal-box"] textarea')?.focus(),
  });
  return (
    <section ref={ref} className={styles.gateTerminal} aria-label="Its terminal">
      <p>
        <ActButton action="gate.terminal" icon={SquareTerminal}>
          Type into its terminal
        </ActButton>
      </p>
      <div className={styles.gateTerminalBox}>
        <Suspense>
          <Pane runId={runId} name={name} bare active={false} />
        </Suspense>
      </div>
    </section>
  );
}
