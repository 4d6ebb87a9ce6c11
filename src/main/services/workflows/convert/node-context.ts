import type { Json } from '@contract/ids';
import type { NodeReport } from './report';
import type { TextNames } from './texts';
import type { Raw } from './untrusted-value';

export interface NodeContext {
  readonly report: NodeReport;
  readonly names: TextNames;
  /** The workflow's provider and model. */
  readonly provider: string;
  readonly model: string | null;
  /** The enclosing workflows that this one is inlined into. */
  readonly within: readonly string[];
  workflow(name: string): ForeignWorkflow | null;
  body(wanted: WantedBody): ConvertedList;
  /** A command file's text; null if there is none. */
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
      /** The input that replaces ARGUMENTS; null if the run's applies. */
      readonly argument: string | null;
    };

/**
 * Replaces a node that cannot be converted, so that the rest of the file is valid: it fails with the reason.
 */
function placeholder(why: string): ConvertedNode {
  const words = `This step was not carried over: ${why}`.replace(/'/g, '’').replace(/\$/g, '');
  return { type: 'step.command', config: { script: `echo '${words}' >&2\nexit 1\n`, terminal: false } };
}

export function notCarriedOver(key: string, why: string, { report }: NodeContext): ConvertedNode {
  report.dropped(key, `${why}; a step that fails stands in its place`);
  return placeholder(why);
}
