import { StepIcon } from '@renderer/parts/marks/marks';
import { Elapsed } from '@renderer/parts/text/ago';
import { stepWords } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { Bar, Status } from '@renderer/ui/controls/status';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { Ban, ChevronDown, ChevronRight, CircleAlert, TriangleAlert } from 'lucide-react';
import { type MouseEvent, memo, useContext, useState } from 'react';
import type { CanvasPort, CanvasStep } from '../graph/graph';
import { NAME_LINE, nameShift, portAt, type Size, shownPorts } from '../graph/ports';
import { GROUP_HEAD } from '../layout/place';
import { DrawingContext, EditableContext, useActs } from './context';
import type { ScopeChoice, StepFace, StepTrouble } from './faces';
import { SightContext } from './sight';
import styles from './step-node.module.css';

export type StepNodeData = {
  readonly step: CanvasStep;
  readonly size: Size;
  /** The name of the step type. */
  readonly type: string;
  readonly face: StepFace | null;
  readonly trouble: StepTrouble | null;
  /** Whether a run is shown. */
  readonly run: boolean;
  /** Whether only its shape is drawn. */
  readonly far: boolean;
};
export type StepNode = Node<StepNodeData, 'step'>;

/** One step: a box with its name, what it is or does, and its ports; less at a far zoom. */
export const StepNodeView = memo(function StepNodeView({ data, selected }: NodeProps<StepNode>) {
  const { step, size } = data;
  const sight = useContext(SightContext);
  const [near, setNear] = useState(false);
  return (
    <div
      {...lookOfStep(data, selected)}
      data-part="canvas-step"
      style={{ width: size.width, height: size.height }}
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
    >
      {sight === 'full' && <Inside data={data} />}
      {(sight === 'named' || sight === 'far') && <Named data={data} />}
      {(sight === 'full' || sight === 'named') && (
        <Ports step={step} size={size} named={sight === 'full' && near} />
      )}
    </div>
  );
});

/** Attributes of its box, at any zoom. */
export function lookOfStep({ step, face, run }: StepNodeData, selected: boolean) {
  return {
    className: `${step.open ? styles.group : styles.step} ${selected ? styles.selected : ''}`,
    'data-tone': step.step === null ? 'lost' : (face?.word.tone ?? 'plain'),
    'data-run': run || undefined,
    'data-open': step.open || undefined,
    'data-off': step.off || undefined,
    'data-started': face === null || face.since !== null || face.note !== null || undefined,
  };
}

/** From further away: the name in large letters, and how the step stands as a mark. */
function Named({ data: { step, face, trouble } }: { data: StepNodeData }) {
  const name = step.step?.title ?? step.id;
  return (
    <>
      <div className={styles.farHead}>
        {step.body !== null && <Toggle step={step} name={name} size={24} />}
        <span className={styles.farName} title={name} dir="auto">
          {name}
        </span>
      </div>
      {(face || step.off) && (
        <span className={`status ${face?.word.tone ?? 'grey'} ${styles.farState}`}>
          <Glyph of={(face?.word ?? stepWords.off).icon} size={26} />
        </span>
      )}
      {trouble && <Trouble trouble={trouble} size={24} />}
    </>
  );
}

function Inside({ data }: { data: StepNodeData }) {
  const { step, face, trouble } = data;
  return (
    <>
      <Guard step={step} />
      <Head data={data} />
      {step.open ? face && <GroupLine face={face} /> : <Under data={data} />}
      {face?.part != null && !step.open && (
        <span className={styles.part}>
          <Bar part={face.part} label="Prompts done" />
        </span>
      )}
      {trouble && <Trouble trouble={trouble} size={14} />}
    </>
  );
}

/** The condition under which the step runs, drawn above it. */
function Guard({ step: { step } }: { step: CanvasStep }) {
  const rule = step?.trigger_rule;
  const words = [rule && rule !== 'all_success' ? RULES[rule] : null, step?.when ? `if ${step.when}` : null];
  const text = words.filter((word) => word !== null).join(', ');
  if (text === '') return null;
  return (
    <span className={`${styles.guard} cut`} title={text}>
      {text}
    </span>
  );
}

const RULES = {
  all_success: 'after all succeed',
  one_success: 'after one succeeds',
  none_failed_min_one_success: 'after one succeeds, none fails',
  all_done: 'after all end',
};

function Head({ data: { step, face, type } }: { data: StepNodeData }) {
  const name = step.step?.title ?? step.id;
  return (
    <div className={styles.head}>
      {step.body === null ? (
        <span className={styles.icon}>
          {step.step === null ? <Glyph of={Ban} size={15} /> : <StepIcon type={step.step.type} />}
        </span>
      ) : (
        <Toggle step={step} name={name} size={15} />
      )}
      <span className={`${styles.name} cut grow`} title={name} dir="auto">
        {name}
      </span>
      {step.open && face?.scopes && <Scopes stepKey={step.key} scopes={face.scopes} />}
      {step.open && !face && step.off && <Off />}
      {step.open && !face && <span className={`${styles.kind} cut`}>{type}</span>}
      {face && face.attempt > 1 && (
        <span className="count" title={`Attempt ${face.attempt}`}>{`×${face.attempt}`}</span>
      )}
    </div>
  );
}

interface ToggleProps {
  readonly step: CanvasStep;
  readonly name: string;
  readonly size: number;
}

/** Opens and closes the body of a step. */
function Toggle({ step, name, size }: ToggleProps) {
  const acts = useActs();
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${styles.icon} ${styles.toggle} nodrag`}
      aria-label={step.open ? `Close ${name}` : `Open ${name}`}
      aria-expanded={step.open}
      onClick={(event) => {
        event.stopPropagation();
        acts.toggle(step.key);
      }}
    >
      <Glyph of={step.open ? ChevronDown : ChevronRight} size={size} />
    </button>
  );
}

function FaceLine({ face }: { face: StepFace }) {
  return (
    <span className={styles.state}>
      <Status tone={face.word.tone} icon={face.word.icon}>
        {face.word.word}
      </Status>
      {face.since !== null && (
        <span className={styles.since}>
          <Elapsed from={face.since} to={face.until} />
        </span>
      )}
    </span>
  );
}

/** The state of an open group, in the line below its name. */
const GroupLine = ({ face }: { face: StepFace }) => {
  const facts = [face.note, face.spend].filter(Boolean).join(' · ');
  return (
    <div className={`${styles.under} ${styles.groupLine}`}>
      <FaceLine face={face} />
      <span className={`${styles.facts} cut`} title={facts}>
        {facts}
      </span>
    </div>
  );
};

function Under({ data: { step, face, type, run } }: { data: StepNodeData }) {
  if (step.step === null) return <div className={styles.under}>There is no such step</div>;
  if (face === null || !run)
    return (
      <div className={`${styles.under} cut`}>
        {step.off && <Off />}
        {type}
        {step.body !== null && ` · ${step.body.steps.length} inside`}
      </div>
    );
  return (
    <>
      <div className={styles.under}>
        <FaceLine face={face} />
      </div>
      <div className={`${styles.under} ${styles.facts} cut`} title={face.note ?? undefined}>
        {[face.note, face.spend].filter(Boolean).join(' · ')}
      </div>
    </>
  );
}

const Off = () => (
  <span className={styles.off} data-part="step-off">
    <Glyph of={stepWords.off.icon} size={13} /> Off
  </span>
);

function Scopes({ stepKey, scopes }: { stepKey: string; scopes: ScopeChoice }) {
  const acts = useActs();
  if (scopes.all.length < 2) return null;
  return (
    <select
      className={`${styles.scopes} nodrag`}
      aria-label={`${scopes.word} shown`}
      tabIndex={-1}
      value={scopes.shown}
      onChange={(event) => acts.choose(stepKey, event.target.value)}
    >
      {scopes.all.map(({ path, label }) => (
        <option key={path} value={path}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Trouble({ trouble, size }: { trouble: StepTrouble; size: number }) {
  const error = trouble.severity === 'error';
  return (
    <span
      className={`${styles.trouble} ${error ? 'failed-text' : 'waits-text'}`}
      role="img"
      aria-label={`${error ? 'Error' : 'Warning'}: ${trouble.text}`}
      title={trouble.text}
    >
      <Glyph of={error ? CircleAlert : TriangleAlert} size={size} />
    </span>
  );
}

interface PortsProps {
  readonly step: CanvasStep;
  readonly size: Size;
  readonly named: boolean;
}

function Ports({ step, size, named }: PortsProps) {
  const height = step.open ? GROUP_HEAD + 24 : size.height;
  const acts = useActs();
  const drawing = useContext(DrawingContext);
  const inputs = shownPorts(step.inputs);
  const outputs = shownPorts(step.outputs);
  return (
    <>
      {inputs.map((port, index) => (
        <Port
          key={port.name}
          port={port}
          side="in"
          top={portAt(index, inputs.length, height)}
          shift={nameShift(index, inputs.length, height)}
          named={named}
          onOutputs={null}
          whyNot={drawing === null ? undefined : drawing.whyNot({ step: step.key, port: port.name })}
        />
      ))}
      {outputs.map((port, index) => (
        <Port
          key={port.name}
          port={port}
          side="out"
          top={portAt(index, outputs.length, height)}
          shift={nameShift(index, outputs.length, height)}
          named={named}
          onOutputs={() => acts.outputs(step.key)}
          whyNot={undefined}
        />
      ))}
      {named && outputs.length < step.outputs.length && (
        <button
          type="button"
          tabIndex={-1}
          className={`${styles.more} nodrag`}
          style={{ top: belowNames(outputs.length, height) }}
          onClick={onlyHere(() => acts.outputs(step.key))}
        >
          {step.outputs.length - outputs.length} more
        </button>
      )}
    </>
  );
}

/** Where the line below the names of this many ports begins. */
const belowNames = (count: number, height: number): number =>
  portAt(count - 1, count, height) + nameShift(count - 1, count, height) + NAME_LINE / 2;

interface PortProps {
  readonly port: CanvasPort;
  readonly side: 'in' | 'out';
  readonly top: number;
  /** How far the name is moved away from the port. */
  readonly shift: number;
  readonly named: boolean;
  /** A click on an output shows all outputs of its step. */
  readonly onOutputs: (() => void) | null;
  /** While a cable is drawn: why it cannot end here; null if it can. */
  readonly whyNot: string | null | undefined;
}

function Port({ port, side, top, shift, named, onOutputs, whyNot }: PortProps) {
  const editable = useContext(EditableContext);
  const lit = whyNot === undefined ? undefined : whyNot === null ? 'yes' : 'no';
  const [over, setOver] = useState(false);
  const said = lit === 'no' ? (over ? whyNot : null) : named || over ? port.label : null;
  return (
    <Handle
      id={port.name}
      type={side === 'in' ? 'target' : 'source'}
      position={side === 'in' ? Position.Left : Position.Right}
      className={styles.port}
      isConnectable={editable}
      style={{ top }}
      title={whyNot ?? [port.label, port.description].filter(Boolean).join(': ')}
      data-kind={port.known ? port.kind : 'lost'}
      data-wired={port.wired || undefined}
      data-lit={lit}
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      {...(onOutputs === null ? {} : { onClick: onlyHere(onOutputs) })}
    >
      {said != null && (
        <span className={styles.portName} data-side={side} style={{ marginTop: shift }}>
          {said}
        </span>
      )}
    </Handle>
  );
}

/** Without this, the click would also select the step. */
const onlyHere = (act: () => void) => (event: MouseEvent) => {
  event.stopPropagation();
  act();
};
