import { stepIdSchema } from '@contract/ids';
import { StepIcon } from '@renderer/parts/marks/marks';
import { Button } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';
import { Field, TextInput } from '@renderer/ui/controls/field';
import { useState } from 'react';
import { DRAGGED_TYPE } from '../flow/dragged-type';
import type { CanvasEnd } from '../graph/graph';
import {
  addStep,
  align,
  type Bench,
  type CanvasQuestion,
  connect,
  moveSteps,
  reconnect,
  removeSteps,
  rename,
  writeGroup,
} from './acts';
import { ALIGNMENTS } from './align';
import { type Choice, Chooser } from './chooser';
import { editableSteps, rewiring, titleOf, type WhyNot, wiring } from './wiring';

interface CanvasQuestionProps {
  readonly question: CanvasQuestion;
  readonly bench: Bench;
  readonly onClose: () => void;
}

/** The dialog that is open over the canvas. */
export function QuestionView({ question, bench, onClose }: CanvasQuestionProps) {
  switch (question.kind) {
    case 'type':
      return <TypeChooser bench={bench} onClose={onClose} />;
    case 'connect':
      return <CableChooser from={question.from} port={question.port} bench={bench} onClose={onClose} />;
    case 'outputs':
      return <OutputChooser step={question.step} bench={bench} onClose={onClose} />;
    case 'align':
      return <AlignChooser bench={bench} onClose={onClose} />;
    case 'reconnect':
      return <EndChooser cable={question.cable} bench={bench} onClose={onClose} />;
    case 'rename':
      return <Rename step={question.step} bench={bench} onClose={onClose} />;
    case 'place':
      return <Place step={question.step} bench={bench} onClose={onClose} />;
    case 'group':
      return <Group question={question} bench={bench} onClose={onClose} />;
    case 'remove':
      return <Remove question={question} bench={bench} onClose={onClose} />;
  }
}

interface InnerProps {
  readonly bench: Bench;
  readonly onClose: () => void;
}

function TypeChooser({ bench, onClose }: InnerProps) {
  const choices = bench.types.map(
    ({ type, title, description }): Choice => ({
      id: type,
      title,
      note: description,
      icon: <StepIcon type={type} />,
      whyNot: null,
    }),
  );
  return (
    <Chooser
      label="Add a step"
      placeholder="Search step types"
      choices={choices}
      onChoose={(id) => {
        const type = bench.types.find((one) => one.type === id);
        onClose();
        if (type !== undefined) void addStep(bench, type);
      }}
      onClose={onClose}
      onDrag={(id, data) => {
        data.setData(DRAGGED_TYPE, id);
        data.effectAllowed = 'copy';
      }}
    />
  );
}

interface CableChoice {
  readonly from: CanvasEnd;
  readonly to: CanvasEnd;
  readonly choice: Choice;
}

/** Every pair of one of these outputs and an input of a step of the same body. */
function cablesBetween(bench: Bench, outputs: readonly CanvasEnd[], whyNot: WhyNot): readonly CableChoice[] {
  const steps = editableSteps(bench.graph);
  return outputs.flatMap((from) => {
    const source = steps.get(from.step);
    const out = source?.outputs.find(({ name }) => name === from.port);
    return [...steps.values()].flatMap((target) => {
      if (target.parent !== source?.parent || target === source) return [];
      return target.inputs
        .filter(({ known }) => known)
        .map(({ name, label }): CableChoice => {
          const to = { step: target.key, port: name };
          const id = `${from.port}>${to.step}.${to.port}`;
          const title = `${out?.label ?? from.port} to ${titleOf(target)}, ${label}`;
          return { from, to, choice: { id, title, whyNot: whyNot(from, to) } };
        });
    });
  });
}

interface CableChooserProps extends InnerProps {
  readonly from: string;
  /** Only cables of this output. */
  readonly port: string | undefined;
}

/** For a step with more outputs, the output is chosen first. */
const MOST_OUTPUTS = 20;

function CableChooser({ from, port: only, bench, onClose }: CableChooserProps) {
  const step = editableSteps(bench.graph).get(from);
  const known = step?.outputs.filter((port) => port.known && (only ?? port.name) === port.name) ?? [];
  if (known.length > MOST_OUTPUTS) return <OutputChooser step={from} bench={bench} onClose={onClose} />;
  const outputs = known.map(({ name }) => ({ step: from, port: name }));
  const cables = cablesBetween(bench, outputs, wiring(bench.graph));
  return (
    <Chooser
      label={`Connect ${step === undefined ? from : titleOf(step)} to`}
      placeholder="Search steps and ports"
      choices={cables.map(({ choice }) => choice)}
      onChoose={(id) => {
        const chosen = cables.find(({ choice }) => choice.id === id);
        onClose();
        if (chosen !== undefined) void connect(bench, chosen.from, chosen.to);
      }}
      onClose={onClose}
    />
  );
}

/**
 * All outputs of a step, including those that its configuration adds. Choosing one starts a cable from it.
 */
function OutputChooser({ step: key, bench, onClose }: InnerProps & { readonly step: string }) {
  const step = editableSteps(bench.graph).get(key);
  if (step === undefined) return null;
  return (
    <Chooser
      label={`Outputs of ${titleOf(step)}`}
      placeholder="Search outputs"
      choices={step.outputs.map(({ name, label, description, wired, known }) => ({
        id: name,
        title: label,
        whyNot: known ? null : 'The step no longer has this output',
        note: [description, wired ? 'Has a cable' : null].filter(Boolean).join('. ') || undefined,
      }))}
      onChoose={(port) => bench.ask({ kind: 'connect', from: key, port })}
      onClose={onClose}
    />
  );
}

function AlignChooser({ bench, onClose }: InnerProps) {
  return (
    <Chooser
      label="Align the selected steps"
      placeholder="Search"
      choices={ALIGNMENTS.map(({ id, title }) => ({ id, title, whyNot: null }))}
      onChoose={(id) => {
        const chosen = ALIGNMENTS.find((one) => one.id === id);
        onClose();
        if (chosen !== undefined) void align(bench, chosen.id);
      }}
      onClose={onClose}
    />
  );
}

function EndChooser({ cable, bench, onClose }: InnerProps & { readonly cable: string }) {
  const found = bench.graph.cables.find(({ key }) => key === cable);
  if (found === undefined) return null;
  const cables = cablesBetween(bench, [found.from], rewiring(bench.graph, cable));
  return (
    <Chooser
      label="Reconnect the cable"
      placeholder="Search steps and ports"
      choices={cables.map(({ choice }) => choice)}
      onChoose={(id) => {
        const chosen = cables.find(({ choice }) => choice.id === id);
        onClose();
        if (chosen !== undefined) void reconnect(bench, cable, [chosen.from, chosen.to]);
      }}
      onClose={onClose}
    />
  );
}

function Rename({ step: key, bench, onClose }: InnerProps & { readonly step: string }) {
  const step = editableSteps(bench.graph).get(key);
  const [title, setTitle] = useState(step?.step?.title ?? '');
  const [id, setId] = useState(step?.id ?? '');
  const taken = bench.graph.steps.some(
    (other) => other.parent === step?.parent && other.id === id && other.key !== key && other.step !== null,
  );
  const wrong = taken
    ? 'Another step already has this name'
    : stepIdSchema.safeParse(id).success
      ? null
      : 'A name starts with a letter and has letters, digits, _ and - only';
  const send = () => {
    if (wrong !== null) return;
    onClose();
    void rename(bench, key, { id, title: title.trim() });
  };
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button tone="primary" disabled={wrong !== null} onClick={send}>
        Rename
      </Button>
    </>
  );
  return (
    <Question title="Rename the step" onClose={onClose} footer={buttons}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field label="Title" hint="Shown in place of the name.">
          {(ids) => <TextInput {...ids} value={title} onChange={(event) => setTitle(event.target.value)} />}
        </Field>
        <Field label="Name" hint="Cables and references are updated." error={wrong}>
          {(ids) => <TextInput {...ids} value={id} onChange={(event) => setId(event.target.value)} />}
        </Field>
        <button type="submit" hidden>
          Rename
        </button>
      </form>
    </Question>
  );
}

/** A position entered as numbers, for operators who do not drag. */
function Place({ step: key, bench, onClose }: InnerProps & { readonly step: string }) {
  const step = editableSteps(bench.graph).get(key);
  const was = step?.step?.position;
  const [x, setX] = useState(String(was?.x ?? 0));
  const [y, setY] = useState(String(was?.y ?? 0));
  const point = { x: Number(x), y: Number(y) };
  const fits = [x, y].every((text) => text.trim() !== '' && Number.isFinite(Number(text)));
  const send = () => {
    if (!fits) return;
    onClose();
    if (was?.x === point.x && was.y === point.y) return;
    void moveSteps(bench, new Map([[key, point]]));
  };
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button tone="primary" disabled={!fits} onClick={send}>
        Move
      </Button>
    </>
  );
  return (
    <Question title={`Move ${step === undefined ? key : titleOf(step)}`} onClose={onClose} footer={buttons}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field label="Across" hint="Larger numbers are further right.">
          {(ids) => (
            <TextInput {...ids} type="number" value={x} onChange={({ target }) => setX(target.value)} />
          )}
        </Field>
        <Field label="Down">
          {(ids) => (
            <TextInput {...ids} type="number" value={y} onChange={({ target }) => setY(target.value)} />
          )}
        </Field>
        <button type="submit" hidden>
          Move
        </button>
      </form>
    </Question>
  );
}

function Group({
  question,
  bench,
  onClose,
}: InnerProps & { readonly question: CanvasQuestion & { kind: 'group' } }) {
  const buttons = (
    <>
      <Button onClick={onClose}>Keep</Button>
      <Button
        tone="primary"
        onClick={() => {
          onClose();
          void writeGroup(bench, question.grouped);
        }}
      >
        Make a sub-workflow
      </Button>
    </>
  );
  return (
    <Question title="Comments of the file would be lost" onClose={onClose} footer={buttons}>
      <p className="quiet">Muster rewrites the steps or cables next to them. Undo restores the comments.</p>
      <ul>
        {[...new Set(question.lost)].map((comment) => (
          <li key={comment} className="mono">
            {comment}
          </li>
        ))}
      </ul>
    </Question>
  );
}

function Remove({
  question,
  bench,
  onClose,
}: InnerProps & { readonly question: CanvasQuestion & { kind: 'remove' } }) {
  const { keys, uses } = question;
  const buttons = (
    <>
      <Button onClick={onClose}>Keep</Button>
      <Button
        tone="danger"
        onClick={() => {
          onClose();
          void removeSteps(bench, keys);
        }}
      >
        {keys.length === 1 ? 'Remove the step' : 'Remove the steps'}
      </Button>
    </>
  );
  return (
    <Question title="Other places refer to what you remove" onClose={onClose} footer={buttons}>
      <p className="quiet">They stay as they are: change them by hand. Undo restores the step.</p>
      <ul>
        {uses.map((use) => (
          <li key={use}>{use}</li>
        ))}
      </ul>
    </Question>
  );
}
