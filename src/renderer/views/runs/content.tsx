import type { Json } from '@contract/ids';
import { firstLine, plural } from '../../client/format';
import { AgentText } from '../../parts/agent-text';
import { Printed } from '../../ui/code';

/** The text in a port's content: itself, or the merged answers of a chain. */
function textOf(content: Json): string | null {
  if (typeof content === 'string') return content;
  if (content === null || typeof content !== 'object' || Array.isArray(content)) return null;
  return typeof content.merged_content === 'string' ? content.merged_content : null;
}

/** What lies on a port: a text as Markdown, anything else as JSON. */
export function Content({ content }: { content: Json }) {
  const text = textOf(content);
  if (text === null) return <Printed text={JSON.stringify(content, null, 2)} label="Content" />;
  return <AgentText text={text} />;
}

export function contentHint(content: Json): string {
  const text = textOf(content);
  if (text !== null) return firstLine(text).replace(/^#+ /, '') || 'empty';
  if (Array.isArray(content)) return plural(content.length, 'entry', 'entries');
  if (content !== null && typeof content === 'object') return Object.keys(content).join(', ');
  return String(content);
}
