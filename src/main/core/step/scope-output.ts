import type { Json } from '@contract/ids';
import { bundleText, checkedJson } from './bundle';
import type { ScopeView } from './scope';

/** What a scope gave out, as the owner's output holds it: JSON stays what it is, anything else is a text. */
export function scopeOutput(scope: ScopeView): { content: Json; sessionKey: string | null } {
  const bundle = scope.output();
  if (bundle === null) return { content: null, sessionKey: null };
  const json = checkedJson(bundle);
  return {
    content: json === null ? bundleText(bundle) : (JSON.parse(json) as Json),
    sessionKey: bundle.source_session_key,
  };
}
