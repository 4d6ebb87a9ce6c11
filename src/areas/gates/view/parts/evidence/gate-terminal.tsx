import { useHandlers } from '@renderer/client/hooks';
import { ActButton } from '@renderer/parts/controls/act';
import { SquareTerminal } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import styles from './gate-terminal.module.css';

/** Loaded when a gate needs it: the terminal code is large. */
const Pane = lazy(async () => ({
  default: (await import('@areas/terminals/view/parts/terminal-pane')).TerminalPane,
}));

interface GateTerminalProps {
  readonly runId: number;
  readonly name: string;
}

/** The live terminal in which an agent waits: input goes to it, and is recorded as the operator's. */
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
