import type { WorkflowDetail } from '@areas/agents/contract/procedures';
import { cablesOf, graphOrder, portOf } from '@areas/runs/view/parts/graph-order';
import type { Json } from '@contract/ids';
import type { ProcedureOutput } from '@contract/ipc';
import { ownValue } from '@contract/own';
import { plural } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { setQuery } from '@renderer/client/route';
import { StepIcon } from '@renderer/parts/marks/marks';
import { IconButton } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { Menu, type MenuItem } from '@renderer/ui/controls/menu';
import { Fold } from '@renderer/ui/layout/fold';
import { ArrowRight, CornerDownRight, Ellipsis, Pencil } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Cable, PortSpec, StepDefinition, WorkflowDefinition } from '../../contract/definition';
import { drawable } from '../parts/canvas/edit/drawable-file';
import type { ListActs } from '../parts/canvas/edit/list-editing';
import styles from './step-list.module.css';

/** The steps in the order in which they run, each with its inputs and the targets of its outputs. */
export function StepList({ value, acts }: StepListProps) {
  const types = useQuery('step.types', {}).value;
  const level = acts?.level ?? value.definition;
  if (level === null) return null;
  if (level.steps.length === 0) return <p className="quiet">There are no steps yet.</p>;
  return <Level level={level} parent={null} types={types} acts={acts} ports={value.ports} />;
}

interface StepListProps {
  readonly value: WorkflowDetail;
  /** Null while the actions are being loaded. */
  readonly acts: ListActs | null;
}

interface LevelProps extends Pick<StepListProps, 'acts'> {
  readonly level: Pick<WorkflowDefinition, 'steps' | 'cables'>;
  /** The key of the step whose body contains these. */
  readonly parent: string | null;
  readonly types: ProcedureOutput<'step.types'> | null;
  readonly ports: WorkflowDetail['ports'];
}

function Level({ level, parent, types, ports, acts }: LevelProps) {
  const order = useMemo(() => graphOrder(level), [level]);
  return (
    <ol className={styles.steps}>
      {order.map(({ id }, index) => {
        const step = level.steps.find((step) => step.id === id);
        if (step === undefined) return null;
        const key = parent === null ? id : `${parent}/${id}`;
        const body = drawable(step.config.body ?? null);
        return (
          <li key={id}>
            <StepCard
              number={index + 1}
              step={step}
              stepKey={key}
              parent={parent}
              definition={level}
              acts={acts}
              type={types?.find((type) => type.type === step.type)?.title ?? step.type}
              ports={ownValue(ports, key)?.outputs ?? []}
            >
              {body && body.steps.length > 0 && (
                <Level level={body} parent={key} types={types} ports={ports} acts={acts} />
              )}
            </StepCard>
          </li>
        );
      })}
    </ol>
  );
}

interface StepCardProps {
  readonly number: number;
  readonly step: StepDefinition;
  readonly stepKey: string;
  readonly parent: string | null;
  readonly type: string;
  readonly definition: LevelProps['level'];
  readonly ports: readonly PortSpec[];
  readonly acts: ListActs | null;
  /** The steps of its body. */
  readonly children: ReactNode;
}

function StepCard(props: StepCardProps) {
  const { number, step, stepKey, parent, type, definition, ports, acts, children } = props;
  const name = step.title ?? step.id;
  const cableActs = (cable: Cable) => (
    <ActsMenu
      label={`Change the cable from ${cable.from} to ${cable.to}`}
      items={acts?.ofCable(parent, cable) ?? []}
    />
  );
  const { into, from } = cablesOf(definition, step.id);
  const config = Object.entries(step.config);
  return (
    <section className={styles.stepCard} aria-label={name} data-step={stepKey}>
      <span className={styles.stepNumber}>{number}</span>
      <header>
        <StepIcon type={step.type} />
        <h2 className="cut" title={name}>
          <bdi>{name}</bdi>
        </h2>
        {step.title && <span className="mono faint note cut">{step.id}</span>}
        {step.disabled && <span className="faint note">Switched off</span>}
        {acts?.selected.has(stepKey) && <span className={styles.selected}>Selected</span>}
        <span className="grow" />
        <span className="faint note">{type}</span>
        <IconButton icon={Pencil} label={`Edit ${name}`} onClick={() => setQuery({ step: stepKey })} />
        <ActsMenu label={`Change ${name}`} items={acts?.ofStep(stepKey) ?? []} />
      </header>
      <ul className="cables" aria-label="Cables">
        {into.map((cable) => (
          <CableIn
            key={`${cable.from} ${cable.to}`}
            cable={cable}
            definition={definition}
            acts={cableActs(cable)}
          />
        ))}
        {from.map((cable) => (
          <CableOut
            key={`${cable.from} ${cable.to}`}
            cable={cable}
            definition={definition}
            acts={cableActs(cable)}
          />
        ))}
      </ul>
      <Config config={config} ports={ports} />
      {children}
    </section>
  );
}

/** A button that opens a list of actions; nothing if there are none. */
function ActsMenu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  const [open, setOpen] = useState(false);
  if (items.length === 0) return null;
  return (
    <span className={styles.acts}>
      <IconButton icon={Ellipsis} label={label} onClick={() => setOpen(true)} />
      {open && <Menu label={label} items={items} onClose={() => setOpen(false)} />}
    </span>
  );
}

interface CableProps {
  readonly cable: Cable;
  readonly definition: LevelProps['level'];
  readonly acts: ReactNode;
}

const titleOf = (definition: LevelProps['level'], ref: string): string => {
  const id = ref.slice(0, ref.indexOf('.'));
  return definition.steps.find((step) => step.id === id)?.title ?? id;
};

function CableIn({ cable, definition, acts }: CableProps) {
  return (
    <li className={styles.cable}>
      <Glyph of={CornerDownRight} size={13} />
      <span className="mono">{portOf(cable.to)}</span>
      <span className="faint">from</span>
      <bdi className="cut">{titleOf(definition, cable.from)}</bdi>
      <span className="mono faint">{portOf(cable.from)}</span>
      {acts}
    </li>
  );
}

function CableOut({ cable, definition, acts }: CableProps) {
  return (
    <li className={styles.cable}>
      <Glyph of={ArrowRight} size={13} />
      <span className="mono">{portOf(cable.from)}</span>
      <span className="faint">to</span>
      <bdi className="cut">{titleOf(definition, cable.to)}</bdi>
      <span className="mono faint">{portOf(cable.to)}</span>
      {acts}
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
          {config.length === 0
            ? 'Outputs'
            : config.map(([name, value]) => `${name}${sizeOf(value)}`).join(' · ')}
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
