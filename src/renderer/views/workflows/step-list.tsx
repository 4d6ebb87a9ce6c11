import type { WorkflowDetail } from '@contract/catalog/procedures';
import type { Json } from '@contract/ids';
import { own } from '@contract/own';
import type { Cable, PortSpec, StepDefinition, WorkflowDefinition } from '@contract/workflow/definition';
import { ArrowRight, CornerDownRight, Pencil } from 'lucide-react';
import { useMemo } from 'react';
import { plural } from '../../client/format';
import { useQuery } from '../../client/hooks';
import { setQuery } from '../../client/route';
import { cablesOf, graphOrder, portOf } from '../../parts/graph-order';
import { StepIcon } from '../../parts/marks';
import { IconButton } from '../../ui/button';
import { Fold } from '../../ui/fold';
import { Glyph } from '../../ui/icon';
import styles from './step-list.module.css';

/** The steps in the order in which they run, each with what comes in and what goes on to where. */
export function StepList({ value }: { value: WorkflowDetail }) {
  const { definition } = value;
  const types = useQuery('step.types', {}).value;
  const order = useMemo(() => (definition ? graphOrder(definition) : []), [definition]);
  if (definition === null) {
    return (
      <p className={`quiet ${styles.workflowBroken}`}>
        The file cannot be read as a workflow yet. Its text says where.
      </p>
    );
  }
  return (
    <ol className={styles.steps}>
      {order.map(({ id }, index) => {
        const step = definition.steps.find((step) => step.id === id);
        return (
          step && (
            <li key={id}>
              <StepCard
                number={index + 1}
                step={step}
                type={types?.find((type) => type.type === step.type)?.title ?? step.type}
                definition={definition}
                ports={own(value.ports, id)?.outputs ?? []}
              />
            </li>
          )
        );
      })}
    </ol>
  );
}

interface StepCardProps {
  readonly number: number;
  readonly step: StepDefinition;
  readonly type: string;
  readonly definition: WorkflowDefinition;
  readonly ports: readonly PortSpec[];
}

function StepCard({ number, step, type, definition, ports }: StepCardProps) {
  const { into, from } = cablesOf(definition, step.id);
  const config = Object.entries(step.config);
  return (
    <section className={styles.stepCard} aria-label={step.title ?? step.id}>
      <span className={styles.stepNumber}>{number}</span>
      <header>
        <StepIcon type={step.type} />
        <h2 className="cut">{step.title ?? step.id}</h2>
        {step.title && <span className="mono faint note cut">{step.id}</span>}
        <span className="grow" />
        <span className="faint note">{type}</span>
        <IconButton
          icon={Pencil}
          label={`Edit ${step.title ?? step.id}`}
          onClick={() => setQuery({ step: step.id })}
        />
      </header>
      <ul className="cables" aria-label="Cables">
        {into.map((cable) => (
          <CableIn key={`${cable.from} ${cable.to}`} cable={cable} definition={definition} />
        ))}
        {from.map((cable) => (
          <CableOut key={`${cable.from} ${cable.to}`} cable={cable} definition={definition} />
        ))}
      </ul>
      <Config config={config} ports={ports} />
    </section>
  );
}

const titleOf = (definition: WorkflowDefinition, ref: string): string => {
  const id = ref.slice(0, ref.indexOf('.'));
  return definition.steps.find((step) => step.id === id)?.title ?? id;
};

function CableIn({ cable, definition }: { cable: Cable; definition: WorkflowDefinition }) {
  return (
    <li className={styles.cable}>
      <Glyph of={CornerDownRight} size={13} />
      <span className="mono">{portOf(cable.to)}</span>
      <span className="faint">from</span>
      <span className="cut">{titleOf(definition, cable.from)}</span>
      <span className="mono faint">{portOf(cable.from)}</span>
    </li>
  );
}

function CableOut({ cable, definition }: { cable: Cable; definition: WorkflowDefinition }) {
  return (
    <li className={styles.cable}>
      <Glyph of={ArrowRight} size={13} />
      <span className="mono">{portOf(cable.from)}</span>
      <span className="faint">to</span>
      <span className="cut">{titleOf(definition, cable.to)}</span>
      <span className="mono faint">{portOf(cable.to)}</span>
    </li>
  );
}

interface ConfigProps {
  readonly config: readonly [string, Json][];
  readonly ports: readonly PortSpec[];
}

function Config({ config, ports }: ConfigProps) {
  if (config.length === 0 && ports.length === 0) return null;
  return (
    <Fold
      head={
        <span className="cut quiet">
          {config.map(([name, value]) => `${name}${sizeOf(value)}`).join(' · ')}
        </span>
      }
    >
      <dl className={styles.config}>
        {config.map(([name, value]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd className="reads">
              <Value value={value} />
            </dd>
          </div>
        ))}
        {ports.length > 0 && (
          <div>
            <dt>Outputs</dt>
            <dd className="reads">
              {ports.map((port) => (
                <div key={port.name} title={port.description}>
                  <span className="mono">{port.name}</span> <span className="faint">{port.label}</span>
                </div>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </Fold>
  );
}

const sizeOf = (value: Json): string => {
  if (Array.isArray(value)) return ` (${value.length})`;
  if (typeof value === 'string' && value.length <= 24 && !value.includes('\n')) return `: ${value}`;
  return typeof value === 'number' || typeof value === 'boolean' ? `: ${value}` : '';
};

function Value({ value }: { value: Json }) {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) {
    const counted = value.map((text, index) => ({ text: String(text), id: `${index}` }));
    return (
      <ol className={styles.configList} aria-label={plural(value.length, 'entry', 'entries')}>
        {counted.map(({ text, id }) => (
          <li key={id}>{text}</li>
        ))}
      </ol>
    );
  }
  if (typeof value === 'string') return <>{value}</>;
  return <code>{JSON.stringify(value)}</code>;
}
