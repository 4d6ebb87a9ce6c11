import type { LaunchPolicy } from './modes';

/**
 * What opencode is told by `OPENCODE_PERMISSION`, over what every file of its settings says. Without it opencode asks
 * nothing. Null where the profile leaves it to those settings.
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
