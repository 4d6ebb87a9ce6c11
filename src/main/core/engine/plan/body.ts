import type { StepDefinition, WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { KnownNames } from '@areas/workflows/core/reference/check';
import type { Problem } from '@contract/errors';
import { ownValue } from '@contract/own';
import { MOST_NESTED } from '@contract/run/scope/path';
import type { StepBody } from '../../step/scope';
import { problem } from './problems';
import type { NamesAround } from './references';
import type { Inner, Plan, PlanContext } from './types';

export interface BodyOwner {
  readonly step: StepDefinition;
  /** Path of its configuration. */
  readonly base: string;
  /** The enclosing workflow. */
  readonly around: WorkflowDefinition;
  readonly context: PlanContext;
  /** What the texts of its steps may refer to. */
  readonly names: (stepId: string) => KnownNames;
}

type MakePlan = (
  definition: WorkflowDefinition,
  context: PlanContext,
) => {
  readonly plan: Plan | null;
  readonly problems: Problem[];
  readonly offsets: ReadonlyMap<Problem, number>;
};

interface Planned {
  readonly inner: Inner | null;
  readonly problems: Problem[];
  /** A problem's offset in the text at its path. */
  readonly offsets: ReadonlyMap<Problem, number>;
}

/** Plans a body. It is checked like a workflow; its problems keep their own paths. */
export function planBody(body: StepBody, owner: BodyOwner, make: MakePlan): Planned {
  if (body.kind !== 'variants') return planOne(body, owner, make);
  const planned = body.variants.map((one) => planOne(one, owner, make));
  // Problems in the shared part are reported once.
  const distinct = new Map(
    planned.flatMap(({ problems }) => problems).map((one) => [`${one.where?.path} ${one.message}`, one]),
  );
  const offsets = new Map(planned.flatMap((one) => [...one.offsets]));
  const inners = planned.flatMap(({ inner }) => inner ?? []);
  const [first] = inners;
  const isComplete = first !== undefined && inners.length === planned.length;
  const variants = inners.map(({ plan }) => plan);
  return { inner: isComplete ? { ...first, variants } : null, problems: [...distinct.values()], offsets };
}

type OneBody = Exclude<StepBody, { kind: 'variants' }>;

function planOne(body: OneBody, owner: BodyOwner, make: MakePlan): Planned {
  const found = definitionOf(body, owner);
  if ('problem' in found)
    return { inner: null, problems: owner.context.begun === true ? [] : [found.problem], offsets: new Map() };
  const { definition, within } = found;
  const {
    plan,
    problems,
    offsets: inBody,
  } = make(definition, {
    ...owner.context,
    within,
    around: aroundOf(body, owner),
    onTexts: withTexts(body, owner),
    workspace: owner.context.workspace ?? owner.around.workspace,
  });
  const offsets = new Map<Problem, number>();
  const placed = [
    ...problems.map((one) => {
      const there = atOwner(one, body, owner);
      const offset = inBody.get(one);
      // A called file has its own lines, so its problems are reported at the call.
      if (offset !== undefined && body.kind === 'inline') offsets.set(there, offset);
      return there;
    }),
    ...(owner.context.begun === true ? [] : inputProblems(body, owner, definition)),
  ];
  if (plan === null) return { inner: null, problems: placed, offsets };
  const output = (body.kind === 'inline' ? body.output : definition.returns) ?? null;
  const isolated = body.kind === 'file';
  const lasts = output === null ? plan.lasts : [output];
  const inner = { plan: { ...plan, lasts }, isolated, variables: body.variables, quiet: body.quiet === true };
  const unknown =
    body.kind === 'inline' && output !== null && !plan.steps.has(output)
      ? [noOutput(output, body, owner)]
      : [];
  return { inner, problems: [...placed, ...unknown], offsets };
}

/** Texts of a called file belong to that file. */
function withTexts(body: OneBody, { base, context: { onTexts } }: BodyOwner): PlanContext['onTexts'] {
  if (onTexts === undefined || body.kind === 'file') return undefined;
  return (places) => onTexts(places.map((place) => ({ ...place, path: `${base}.${body.at(place.path)}` })));
}

function aroundOf(body: OneBody, { step, context, names }: BodyOwner): NamesAround {
  if (body.kind === 'file') return { names: null, variables: [], repeats: false };
  const variables = [...(context.around?.variables ?? []), ...body.variables];
  return { names: names(step.id), variables, repeats: body.variables.includes('LOOP_PREV_OUTPUT') };
}

type Found = { definition: WorkflowDefinition; within: readonly string[] } | { problem: Problem };

function definitionOf(
  body: OneBody,
  { step: { id, output_format }, base, around, context }: BodyOwner,
): Found {
  const within = context.within ?? [];
  const refuse = (code: Problem['code'], message: string, mend: string) => ({
    problem: { ...problem(code, `step "${id}": ${message}`, `${base}.${at(body, '')}`), mend },
  });
  if (within.length >= MOST_NESTED)
    return refuse(
      'validation.cycle',
      `bodies are nested more than ${MOST_NESTED} deep`,
      'nest fewer of them',
    );
  if (body.kind === 'inline') {
    const { inputs = {}, budget: _, worktree: __, returns: ___, ...rest } = around;
    const given = Object.fromEntries((body.inputs ?? []).map((name) => [name, { type: 'string' as const }]));
    // A body that a module builds from its own keys is a single step, with the owner's output format.
    const steps = body.steps.map((step) =>
      body.quiet === true && output_format !== undefined ? { ...step, output_format } : step,
    );
    const definition = {
      ...rest,
      inputs: { ...inputs, ...given },
      steps,
      cables: [...body.cables],
    };
    return { definition, within: [...within, ''] };
  }
  const { file } = body;
  if (within.includes(file))
    return refuse(
      'validation.cycle',
      `${[...within.filter((one) => one !== ''), file].join(' calls ')}: a workflow cannot call itself`,
      'use a step.loop to repeat something',
    );
  const called = ownValue(context.called, file);
  if (called === undefined)
    return refuse(
      'validation.file_missing',
      `the workflow ${file} cannot be read`,
      'paths are relative to the project folder',
    );
  return { definition: called, within: [...within, file] };
}

/** A called file gets only the inputs it declares, and all that it requires. */
function inputProblems(
  body: OneBody,
  { step: { id }, base }: BodyOwner,
  { inputs = {} }: WorkflowDefinition,
): Problem[] {
  if (body.kind !== 'file') return [];
  const given = body.inputs ?? [];
  const unknown = given.filter((name) => ownValue(inputs, name) === undefined);
  const missing = Object.entries(inputs).filter(
    ([name, input]) => input.default === undefined && input.required !== false && !given.includes(name),
  );
  const names = Object.keys(inputs).join(', ');
  return [
    ...unknown.map((name) => ({
      ...problem(
        'validation.config',
        `step "${id}": ${body.file} has no input "${name}"`,
        `${base}.inputs.${name}`,
      ),
      mend: names === '' ? 'it has no inputs' : `its inputs are: ${names}`,
    })),
    ...missing.map(([name]) => ({
      ...problem(
        'validation.config',
        `step "${id}": the input "${name}" of ${body.file} is missing`,
        `${base}.inputs`,
      ),
      mend: `add ${name} under inputs`,
    })),
  ];
}

const at = (body: OneBody, path: string): string => (body.kind === 'file' ? 'file' : body.at(path));

function atOwner(found: Problem, body: OneBody, { step: { id }, base }: BodyOwner): Problem {
  const path = `${base}.${at(body, found.where?.path ?? '')}`;
  const within = body.kind === 'file' ? `step "${id}", in ${body.file}: ` : '';
  return {
    ...found,
    message: `${within}${ofWriter(found.message, body, id)}`,
    where: { ...found.where, path },
  };
}

/** The author knows the step that is written in the file, and not the one that its module makes of it. */
const ofWriter = (message: string, body: OneBody, id: string): string =>
  body.kind === 'inline' && body.quiet === true
    ? body.steps.reduce((text, made) => text.replace(`step "${made.id}": `, `step "${id}": `), message)
    : message;

const noOutput = (output: string, body: OneBody, { step: { id }, base }: BodyOwner): Problem =>
  problem(
    'validation.config',
    `step "${id}": its body has no step "${output}"`,
    `${base}.${at(body, 'output')}`,
  );
