import { largeDiff, referenceIn } from '@areas/changes/contract/change-bundle';
import { bundleText, storedText } from '@areas/workflows/contract/bundle-text';
import { isMap, type JsonMap } from '@areas/workflows/contract/change';
import type { StoredBundle } from '@areas/workflows/contract/definition';
import { counted } from '@contract/counted';
import type { Json } from '@contract/ids';
import { previewText, shownText } from '@contract/whole-text';
import { type EvidenceKind, type EvidencePiece, largePiece } from './evidence';
import { responsePieces } from './response-pieces';

/** The kind of a bundle whose step set none: text is an agent's answer, anything else is data. */
const kindOf = ({ kind, content }: StoredBundle): EvidenceKind => {
  if (kind !== undefined) return kind;
  const isText = isMap(content) && typeof content.merged_content === 'string';
  return isText || typeof content === 'string' ? 'markdown' : 'json';
};

/** The content of a port as pieces of evidence, titled by the step that it came from. */
export function bundlePieces(
  bundle: StoredBundle,
  stepTitle: (key: string) => string = (key) => key,
): EvidencePiece[] {
  const { metadata } = bundle;
  const title = typeof metadata.step_id === 'string' ? stepTitle(metadata.step_id) : undefined;
  // A part of a list or of an answer has the form of neither.
  const ofLarge = 'large' in bundle && bundle.kind === 'diff' ? ofChange(metadata) : {};
  // The change itself is shown, as it is then, in place of its text.
  if (ofLarge.capture !== undefined)
    return [{ kind: 'diff', title, text: shownText(storedText(bundle)), ...ofLarge }];
  if ('large' in bundle || 'cut' in bundle)
    return [largePiece(bundle.kind === 'markdown' ? 'markdown' : 'output', storedText(bundle), title)];
  const { content } = bundle;
  const kind = kindOf(bundle);
  if (kind === 'diff' && Array.isArray(content)) return content.flatMap(agentDiff);
  if (kind === 'files' && isOfAgents(content)) return content.flatMap(agentFiles);
  if (kind === 'findings' && isMap(content)) return responsePieces(bundleText(bundle), title ?? 'Review');
  const text = bundleText(bundle);
  const change = kind === 'diff' || kind === 'files' ? ofChange(metadata) : {};
  return text === '' && change.capture === undefined ? [] : [{ kind, title, text, ...change }];
}

/** The recorded change that the text shows, if the content refers to one. */
function ofChange(fields: JsonMap | StoredBundle['metadata']): Pick<EvidencePiece, 'capture' | 'summary'> {
  const change = referenceIn(fields);
  if (change === null) return {};
  const { capture_id: capture, files_changed: files, lines_added, lines_removed } = change;
  return { capture, summary: `${counted(files, 'file')} changed, +${lines_added} -${lines_removed}` };
}

const agentTitle = ({ agent_role: role, agent_name: name }: JsonMap): string =>
  [role, name].filter((part) => typeof part === 'string').join(': ');

/** The diff of one of several agents, each with its own folder. */
function agentDiff(entry: Json): EvidencePiece[] {
  const large = largeDiff(entry);
  if (!isMap(entry) || (large === null && typeof entry.diff !== 'string')) return [];
  const text = large === null ? String(entry.diff) : previewText(large);
  return [{ kind: 'diff', title: agentTitle(entry), text, ...ofChange(entry) }];
}

const isOfAgents = (content: Json): content is Json[] =>
  Array.isArray(content) && content.some((entry) => isMap(entry) && Array.isArray(entry.files));

function agentFiles(entry: Json): EvidencePiece[] {
  if (!isMap(entry) || !Array.isArray(entry.files)) return [];
  const text = JSON.stringify(entry.files, null, 2);
  return [{ kind: 'files', title: agentTitle(entry), text, ...ofChange(entry) }];
}
