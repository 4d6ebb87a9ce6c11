import type { EvidenceKind, EvidencePiece } from '@contract/evidence/evidence';
import type { Json } from '@contract/ids';
import type { ContextBundle } from '@contract/workflow/definition';
import { bundleText } from './bundle';
import { responsePieces } from './response-pieces';

type JsonObject = { readonly [key: string]: Json };
const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kind of a bundle whose step named none: a text is an agent's answer, anything else is data. */
const kindOf = ({ kind, content }: ContextBundle): EvidenceKind => {
  if (kind !== undefined) return kind;
  const isText = isObject(content) && typeof content.merged_content === 'string';
  return isText || typeof content === 'string' ? 'markdown' : 'json';
};

/** What lies on a port, as the pieces of a gate's evidence. */
export function bundlePieces(bundle: ContextBundle): EvidencePiece[] {
  const { content, metadata } = bundle;
  const kind = kindOf(bundle);
  const title = typeof metadata.step_id === 'string' ? metadata.step_id : undefined;
  if (kind === 'diff' && Array.isArray(content)) return content.flatMap(agentDiff);
  if (kind === 'findings' && isObject(content)) return responsePieces(bundleText(bundle), title ?? 'Review');
  const text = bundleText(bundle);
  return text === '' ? [] : [{ kind, title, text }];
}

/** The diff of one of several agents, each of which worked in its own folder. */
function agentDiff(entry: Json): EvidencePiece[] {
  if (!isObject(entry) || typeof entry.diff !== 'string') return [];
  const { agent_role: role, agent_name: name, diff } = entry;
  return [
    { kind: 'diff', title: [role, name].filter((part) => typeof part === 'string').join(': '), text: diff },
  ];
}
