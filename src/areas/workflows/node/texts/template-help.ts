import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { Json } from '@contract/ids';
import type { ParsedInput } from '@contract/ipc';
import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import type { DocumentReader } from '@main/core/ports/documents';
import type { StepRegistry } from '@main/core/step/module';
import { pathOfStep } from '../../contract/apply-edit';
import { applyChange, isMap, valueAt } from '../../contract/change';
import type { WorkflowDefinition } from '../../contract/definition';
import type { ValuePath } from '../../contract/edit';
import { partsOf } from '../../contract/place';
import type { TemplateHelp, TemplateNames, TemplatePreview } from '../../contract/template-help';
import type { KnownNames } from '../../core/reference/check';
import { previewLookup, readText, type TextPlace } from '../../core/reference/preview';
import { BUILT_IN } from '../../core/reference/reference';
import type { WorkflowFiles } from '../workflow-files';
import { jsonOf } from './check';
import { runValues } from './run-values';
import { templatesOf } from './templates-of';

export interface TemplateParts {
  readonly files: Pick<WorkflowFiles, 'textPlaces'>;
  readonly reader: DocumentReader;
  readonly registry: StepRegistry;
  project(projectId: number): Pick<ProjectRow, 'path'> | null;
  /** A workflow's newest run; null if it never ran, or its run is unreadable. */
  lastRun(workflow: { projectId: number; file: string; name: string }): LastRun | null;
}

interface LastRun {
  readonly id: number;
  readonly name: string;
  readonly startedAt: number;
  readonly state: RunState;
}

interface FoundStep {
  readonly document: Json;
  /** Null if the text is not a valid workflow. */
  readonly definition: WorkflowDefinition | null;
  /** The step's texts, by path. */
  readonly places: readonly TextPlace[];
}

/** Helps with editing a step's templates: what they may refer to, their problems, and their expanded text. */
export class TemplateHelper {
  constructor(private readonly parts: TemplateParts) {}

  async templates(input: ParsedInput<'workflow.templates'>): Promise<Result<TemplateHelp>> {
    const found = await this.find(input);
    if (!found.ok) return found;
    const known = new Map<string, number>();
    const names: TemplateNames[] = [];
    const fields = found.value.places.map(({ path, kind, names: of }) => {
      const shownNames = shownNamesOf(of, found.value.definition);
      const key = JSON.stringify(shownNames);
      const at = known.get(key) ?? names.push(shownNames) - 1;
      known.set(key, at);
      return { path, kind, names: at };
    });
    return ok({ fields, names });
  }

  async preview(input: ParsedInput<'workflow.preview'>): Promise<Result<TemplatePreview>> {
    const { draft, path } = input;
    const found = await this.find(input, { path, draft });
    if (!found.ok) return found;
    const { definition, places } = found.value;
    const place = places.find((one) => isAt(one.path, path));
    if (place === undefined || definition === null) return ok({ ...NOTHING, text: draft });
    const { kind, names } = place;
    const { references, problems, expand } = readText(draft, kind, names);
    const run = this.parts.lastRun({ ...input, name: definition.name });
    const samples = new Set<string>();
    const values = run === null ? null : runValues(run.state, input.step);
    const defaultOf = (name: string) => {
      const value = ownValue(definition.inputs, name)?.default;
      return value === undefined ? null : String(value);
    };
    const made = expand(previewLookup({ names, run: values, defaultOf }, samples));
    const ends = new Map(references.map(({ start, end }) => [start, end]));
    return ok({
      references: references.map(({ start, end }) => ({ from: start, to: end })),
      problems: problems.map(({ offset, severity, message, mend }) => ({
        severity,
        message,
        from: offset,
        to: ends.get(offset) ?? offset,
        ...(mend === undefined ? {} : { mend }),
      })),
      ...(made.ok
        ? { text: cut(made.value.text), env: { ...made.value.env }, error: null }
        : { text: null, env: {}, error: made.error }),
      run: run === null ? null : { id: run.id, name: run.name, startedAt: run.startedAt },
      samples: [...samples],
    });
  }

  private async find(
    { projectId, file, text, step }: ParsedInput<'workflow.templates'>,
    written?: { readonly path: ValuePath; readonly draft: string },
  ): Promise<Result<FoundStep>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    const read = this.parts.reader.parse(text.replace(/^\uFEFF/, ''), file);
    const stored = jsonOf(read);
    const at = pathOfStep(stored, step);
    if (at === null) return fail('not_found', `there is no step ${step.join('/')}`);
    const document =
      written === undefined ? stored : withDraft(stored, [...at, ...written.path], written.draft);
    const known = await this.parts.files.textPlaces(
      document === stored ? read : { value: document },
      project.path,
    );
    const places = known?.places ?? this.declared(valueAt(document, at) ?? null, at);
    const base = shownPath(at);
    const inStep = places
      .filter(({ path }) => path.startsWith(`${base}.`))
      .map((place) => ({ ...place, path: place.path.slice(base.length + 1) }));
    const first = new Map(inStep.toReversed().map((place) => [place.path, place]));
    return ok({
      document,
      definition: known?.definition ?? null,
      places: inStep.filter((place) => first.get(place.path) === place),
    });
  }

  /** The fields declared by the step's module, without names that its texts may refer to. */
  private declared(step: Json, at: ValuePath): TextPlace[] {
    if (!isMap(step) || typeof step.type !== 'string') return [];
    const base = shownPath(at);
    const fields = templatesOf(this.parts.registry).fieldsOf(step.type, step.config ?? null);
    return [
      { path: `${base}.when`, kind: 'condition', names: UNKNOWN },
      ...fields.map(({ path, kind }) => ({ path: `${base}.config.${path}`, kind, names: UNKNOWN })),
    ];
  }
}

/** Maximum characters of a preview, which is sent after each pause in typing. */
const MOST_SHOWN = 50_000;

const cut = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

const NOTHING: TemplatePreview = {
  references: [],
  problems: [],
  text: null,
  error: null,
  env: {},
  run: null,
  samples: [],
};

const UNKNOWN: KnownNames = {
  step: '',
  steps: [],
  inputs: [],
  variables: [],
  isStep: () => false,
  isUpstream: () => false,
  isPrevious: () => false,
  declared: () => null,
  isFreeText: () => false,
};

const shownPath = (path: ValuePath): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`))
    .join('');

/** An empty draft counts as no text. */
const withDraft = (document: Json, path: ValuePath, draft: string): Json =>
  draft === '' ? document : applyChange(document, { op: 'set', path, value: draft });

/** Whether a pattern matches a path. */
function isAt(pattern: string, path: ValuePath): boolean {
  const parts = pattern.match(/\[\d*\]|[^.[\]]+/g) ?? [];
  if (parts.length !== path.length) return false;
  return parts.every((part, index) => {
    const here = path[index];
    if (part === '[]') return typeof here === 'number';
    if (part.startsWith('[')) return here === partsOf(part)[0];
    return part === '*' ? typeof here === 'string' : part === here;
  });
}

function shownNamesOf(names: KnownNames, definition: WorkflowDefinition | null): TemplateNames {
  const titles = new Map(definition?.steps.map(({ id, title }) => [id, title ?? null]));
  return {
    steps: [...new Set(names.steps)].map((id) => ({
      id,
      title: titles.get(id) ?? null,
      upstream: names.isUpstream(id),
      previous: names.isPrevious(id),
      fields: names.declared(id)?.slice() ?? null,
    })),
    inputs: [...names.inputs],
    variables: [...BUILT_IN, ...names.variables],
  };
}
