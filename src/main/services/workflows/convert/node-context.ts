import type { Json } from '@contract/ids';
import type { NodeReport } from './report';
import type { TextNames } from './texts';
import type { Raw } from './untrusted-value';

export interface NodeContext {
  readonly report: NodeReport;
  readonly names: TextNames;
  /** The provider and the model of the workflow. */
  readonly provider: string;
  readonly model: string | null;
  /** The other workflows that this one is written into. */
  readonly within: readonly string[];
  workflow(name: string): ForeignWorkflow | null;
  body(wanted: WantedBody): ConvertedList;
  /** The text of a command file; null where there is none. */
  command(name: string): string | null;
  has(type: string): boolean;
}

export interface ConvertedNode {
  readonly type: string;
  readonly config: Record<string, Json>;
}

/** Converted nodes: the steps of a workflow or of a body. */
export interface ConvertedList {
  readonly [key: string]: Json;
  readonly steps: Json;
}

/** Another workflow that a node names. */
export interface ForeignWorkflow {
  readonly document: Raw;
  readonly source: string;
  lineOf(path: string): number | null;
}

export type WantedBody =
  | { readonly kind: 'loop'; readonly nodes: readonly Raw[] }
  | {
      readonly kind: 'workflow';
      readonly name: string;
      readonly workflow: ForeignWorkflow;
      readonly inputs: ReadonlySet<string>;
      /** The input that stands for ARGUMENTS; null where those of the run hold. */
      readonly argument: string | null;
    };

/** Stands where a node cannot be carried over, so that the rest of the file is valid: it fails and says why. */
function placeholder(why: string): ConvertedNode {
  const words = `This step was not carried over: ${why}`.replace(/'/g, '’').replace(/\$/g, '');
  return { type: 'step.command', config: { script: `echo '${words}' >&2\nexit 1\n`, terminal: false } };
}

export function left(key: string, why: string, { report }: NodeContext): ConvertedNode {
  report.dropped(key, `${why}; a step that fails stands in its place`);
  return placeholder(why);
}
