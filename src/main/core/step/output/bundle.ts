import type { EvidenceKind } from '@areas/evidence/contract/evidence';
import { bundleText, checkedJson } from '@areas/workflows/contract/bundle-text';
import type { ContextBundle, WholeBundle } from '@areas/workflows/contract/definition';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';

export { bundleText, checkedJson };

/** Makes the bundle for one of a step's ports. */
export function makeBundle(
  content: Json,
  origin: {
    stepId: string;
    activationId: number;
    port: string;
    sessionKey: string | null;
    /** The kind of content; undefined only if passed on from a step that did not set it. */
    kind: EvidenceKind | undefined;
  },
): WholeBundle {
  const { kind, sessionKey: source_session_key, stepId, activationId, port } = origin;
  const metadata = { step_id: stepId, activation_id: activationId, port };
  return kind === undefined
    ? { content, source_session_key, metadata }
    : { content, source_session_key, metadata, kind };
}

/** The activations whose text is in a bundle. */
export function originsOf({ metadata }: ContextBundle): Json[] {
  const { activation_id, merged_from } = metadata;
  return [activation_id ?? null, ...(Array.isArray(merged_from) ? merged_from : [])];
}

type Passing = Omit<Parameters<typeof makeBundle>[1], 'sessionKey' | 'kind'>;

/**
 * Passes inputs on: a single bundle unchanged; several as one text in cable order, with their common session.
 */
export function passOn(arrived: readonly ContextBundle[], origin: Passing): ContextBundle {
  const [first, ...others] = arrived;
  if (first !== undefined && others.length === 0) return first;
  const keys = new Set(arrived.map((entry) => entry.source_session_key));
  const sessionKey = keys.size === 1 ? (first?.source_session_key ?? null) : null;
  // A mixture of kinds has none of them.
  const kinds = new Set(arrived.map((entry) => entry.kind));
  const [kind] = kinds.size === 1 ? kinds : ['text' as const];
  const made = makeBundle(arrived.map(bundleText).join('\n\n'), {
    ...origin,
    sessionKey,
    kind: kind === 'json' || kind === 'findings' ? 'text' : kind,
  });
  return { ...made, metadata: { ...made.metadata, merged_from: arrived.flatMap(originsOf) } };
}

/** Why a later step led back here: the reason of a reject, or findings; empty if none did. */
export const revisionReason = (inputs: Readonly<Record<string, readonly ContextBundle[]>>): string =>
  (ownValue(inputs, 'instruction_in') ?? [])
    .filter(({ metadata }) => metadata.port === 'revise_out')
    .map(bundleText)
    .join('\n\n');
