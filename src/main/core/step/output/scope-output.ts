import type { Json } from '@contract/ids';
import type { ScopeView } from '../scope';
import { bundleText, checkedJson } from './bundle';

/** A scope's output in its owner's output: JSON stays JSON, anything else is text. */
export function scopeOutput(scope: ScopeView): { content: Json; sessionKey: string | null } {
  const bundle = scope.output();
  if (bundle === null) return { content: null, sessionKey: null };
  const json = checkedJson(bundle);
  return {
    content: json === null ? bundleText(bundle) : (JSON.parse(json) as Json),
    sessionKey: bundle.source_session_key,
  };
}
