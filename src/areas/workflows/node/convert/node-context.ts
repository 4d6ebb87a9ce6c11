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
  readonly session: ConvertedSession;
  readonly order: NodeOrder;
}

/** The conversation of an agent task. */
export type ConvertedSession =
  | { readonly kind: 'new' }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'continues'; readonly from: string; readonly model: string | null };

export interface NodeOrder {
  /** Ids after `depends_on` that no node has. */
  readonly unknown: readonly string[];
  /** Steps that Archon ends before this node, and Muster perhaps not, because it does not depend on them. */
  readonly unordered: readonly string[];
}

export interface ConvertedNode {
  readonly type: string;
  readonly config: Record<string, Json>;
  /** It stands for a node that cannot be converted. */
  readonly placeholder?: true;
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
  | {
      readonly kind: 'loop';
      readonly nodes: readonly Raw[];
      /** Each pass begins with new conversations. */
      readonly fresh: boolean;
    }
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
  const config = { script: `echo '${words}' >&2\nexit 1\n`, terminal: false };
  return { type: 'step.command', config, placeholder: true };
}

export function notCarriedOver(key: string, why: string, { report }: NodeContext): ConvertedNode {
  report.dropped(key, `${why}; a step that fails stands in its place`);
  return placeholder(why);
}
