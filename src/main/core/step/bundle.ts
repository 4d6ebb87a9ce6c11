import type { Json } from '@contract/ids';
import type { ContextBundle } from '@contract/workflow/definition';

/** A bundle's content as a text for a prompt: merged text as it is, anything else as JSON. */
export function bundleText(bundle: ContextBundle): string {
  const { content } = bundle;
  if (typeof content === 'string') return content;
  if (
    content !== null &&
    typeof content === 'object' &&
    !Array.isArray(content) &&
    typeof content.merged_content === 'string'
  ) {
    return content.merged_content;
  }
  return JSON.stringify(content, null, 2);
}

/** Makes the bundle that a step puts on one of its ports. */
export function makeBundle(
  content: Json,
  origin: { stepId: string; activationId: number; port: string; sessionKey: string | null },
): ContextBundle {
  return {
    content,
    source_session_key: origin.sessionKey,
    metadata: { step_id: origin.stepId, activation_id: origin.activationId, port: origin.port },
  };
}
