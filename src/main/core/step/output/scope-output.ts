import { RawJson } from '@areas/workflows/core/reference/json-text';
import type { ScopeView } from '../scope';
import { bundleText, checkedJson } from './bundle';

/** A scope's output in its owner's output: JSON stays JSON with its digits, anything else is text. */
export function scopeOutput(scope: ScopeView): {
  content: string | RawJson | null;
  sessionKey: string | null;
} {
  const bundle = scope.output();
  if (bundle === null) return { content: null, sessionKey: null };
  const json = checkedJson(bundle);
  return {
    content: json === null ? bundleText(bundle) : new RawJson(json),
    sessionKey: bundle.source_session_key,
  };
}
