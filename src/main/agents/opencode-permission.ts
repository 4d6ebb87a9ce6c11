import type { LaunchPolicy } from './modes';

/**
 * The value of `OPENCODE_PERMISSION`, which overrides all its settings files. Without it opencode asks
 * nothing. Null if the profile leaves permissions to those settings.
 */
export function opencodePermission({
  permissions,
  readOnly,
  ownCheckout,
}: Pick<LaunchPolicy, 'permissions' | 'readOnly' | 'ownCheckout'>): string | null {
  const rules = (edit: string, other: string) => JSON.stringify({ edit, bash: other, webfetch: other });
  if (permissions === 'deny') return rules('deny', 'deny');
  if (readOnly) return rules('deny', 'ask');
  if (permissions === 'ask' || ownCheckout) return rules('ask', 'ask');
  return permissions === 'allow_edits' ? rules('allow', 'ask') : null;
}
