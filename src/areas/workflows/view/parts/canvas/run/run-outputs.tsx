import { IconButton } from '@renderer/ui/controls/button';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { CanvasStep } from '../graph/graph';
import styles from './run-outputs.module.css';

interface RunOutputsProps {
  readonly step: CanvasStep;
  readonly drawOutput: (port: string) => ReactNode;
  readonly onClose: () => void;
}

/** The outputs of a step of a run, by label, each with its last value. */
export function RunOutputs({ step, drawOutput, onClose }: RunOutputsProps) {
  const name = step.step?.title ?? step.id;
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section
      ref={box}
      className={`${styles.outputs} scroll`}
      aria-label={`Outputs of ${name}`}
      data-part="canvas-chooser"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className={styles.head}>
        <h2 className="cut grow">Outputs of {name}</h2>
        <IconButton icon={X} label="Close the outputs" onClick={onClose} />
      </header>
      {step.outputs.map((port) => (
        <section key={port.name} className={styles.entry} aria-label={port.label}>
          <h3>{port.label}</h3>
          {port.description && <p className="note faint">{port.description}</p>}
          {drawOutput(port.name)}
        </section>
      ))}
    </section>
  );
}
