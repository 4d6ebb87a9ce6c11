import { ownValue } from '@contract/own';
import type { Raw } from './untrusted-value';

/** The kind of a node: it has exactly one of these keys. */
export const KINDS = [
  ...[
    'prompt',
    'command',
    'bash',
    'script',
    'loop',
    'loop_group',
    'approval',
    'cancel',
    'include',
    'workflow',
  ],
] as const;
export type Kind = (typeof KINDS)[number];

export const kindOf = (node: Raw): Kind =>
  KINDS.find((one): one is Kind => ownValue(node, one) !== undefined) ?? 'prompt';

/** Keys of some kinds, which their converters report. */
export const OWN_KEYS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  include: ['with'],
  workflow: ['input', 'with', 'fan_out', 'isolation'],
};

const AGENT_KINDS: ReadonlySet<string> = new Set(['prompt', 'command', 'loop']);
export const isAgentKind = (kind: string): boolean => AGENT_KINDS.has(kind);
