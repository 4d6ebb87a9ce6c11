import { Markdown } from '../ui/markdown';
import { copyText } from './copy';

const copyCode = (text: string) => copyText(text, 'Copied the code');

/** What an agent or a workflow wrote, as Markdown. */
export function AgentText({ text }: { text: string }) {
  return <Markdown text={text} onCopy={copyCode} />;
}
