import { ownValue } from '@contract/own';
import { kindOf } from './kinds';
import type { Layers } from './layers';
import { isRaw, type Raw, textAt } from './untrusted-value';

/** The conversation in which Archon runs an agent node, and whether Muster does the same. */
type Continuation =
  | { readonly kind: 'new' }
  | { readonly kind: 'continues'; readonly from: number }
  | { readonly kind: 'lost'; readonly why: string };

interface Around {
  readonly layers: Layers;
  /** Of the workflow. */
  readonly provider: string;
  /** The id in the converted file. */
  idOf(index: number): string;
  /** Whether the node becomes an agent task. */
  isTask(index: number): boolean;
  /** The nodes are a loop's body whose passes share their last conversation. */
  readonly sharedPasses: boolean;
}

const NEW: Continuation = { kind: 'new' };
const lost = (why: string): Continuation => ({ kind: 'lost', why });

/**
 * In Archon an agent node that is alone in its layer continues the last conversation, if that belongs to the same
 * agent and no layer of several nodes came between, unless it says `context: fresh`.
 */
export function continuationOf(index: number, around: Around): Continuation {
  const { layers } = around;
  const node = layers.nodes[index] ?? {};
  const context = ownValue(node, 'context');
  if (!around.isTask(index) || context === 'fresh') return NEW;
  if (isRaw(context)) return resumed(textAt(context, 'resume') ?? '', index, around);
  const own = layers.layerOf(index);
  if (layers.at(own).length > 1) return NEW;
  for (let layer = own - 1; layer >= 0; layer -= 1) {
    const [other, ...more] = layers.at(layer);
    if (other === undefined || more.length > 0) return NEW;
    const found = sessionAfter(other, index, around);
    if (found !== null) return found;
  }
  return around.sharedPasses
    ? lost('in later passes it continues the last session of the pass before; here it is a new one')
    : NEW;
}

/** Null: the node leaves the last conversation as it is. */
function sessionAfter(other: number, index: number, around: Around): Continuation | null {
  const { layers, provider, idOf, isTask } = around;
  const source = layers.nodes[other] ?? {};
  const node = layers.nodes[index] ?? {};
  const kind = kindOf(source);
  if (kind === 'include')
    return lost(`it continues the last session in ${idOf(other)}; here it is a new one`);
  if (kind !== 'prompt' && kind !== 'command' && kind !== 'loop') return null;
  if (kind !== 'loop' && !isTask(other)) return NEW;
  if (!layers.succeeded(index).has(other))
    return lost(`it continues the session of ${idOf(other)} if that ran; here it is a new one`);
  if (agentOf(source, provider) !== agentOf(node, provider)) return NEW;
  if (kind === 'loop')
    return lost(`it continues the session of the loop ${idOf(other)}; here it is a new one`);
  return { kind: 'continues', from: other };
}

const agentOf = (node: Raw, provider: string): string => textAt(node, 'provider') ?? provider;

/** `context: {resume: ID}` forks a conversation, which is the same as continuing it where no other node does. */
function resumed(id: string, index: number, around: Around): Continuation {
  const { layers, provider } = around;
  const nodes = layers.nodes;
  const from = nodes.findIndex((node) => textAt(node, 'id') === id);
  const source = nodes[from];
  if (source === undefined || !layers.succeeded(index).has(from) || !around.isTask(from))
    return lost(`it resumes the session of ${id}, which is no agent node that has always ended before`);
  if (agentOf(source, provider) !== agentOf(nodes[index] ?? {}, provider))
    return lost(`it resumes the session of ${id}, which belongs to another agent`);
  const others = nodes.some((node, other) => {
    if (other === index) return false;
    const context = ownValue(node, 'context');
    if (isRaw(context)) return textAt(context, 'resume') === id;
    const found = continuationOf(other, around);
    return found.kind === 'continues' && found.from === from;
  });
  return others
    ? lost(`it forks the session of ${id}, which another node continues as well`)
    : { kind: 'continues', from };
}
