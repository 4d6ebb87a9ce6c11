import { taskResultParts, withoutBegunTag } from '@areas/sessions/contract/task-result';
import { Markdown } from '../../ui/markdown/markdown';
import { copyText } from '../controls/copy';
import { claimWords } from '../words/status-words';

const copyCode = (text: string) => copyText(text, 'Copied the code');

interface AgentTextProps {
  readonly text: string;
  /** The text is streaming: an incomplete tag is not shown. */
  readonly live?: boolean;
}

/**
 * A text of an agent or a workflow, as Markdown. The tagged result is shown under a label, without the tag.
 */
export function AgentText({ text, live = false }: AgentTextProps) {
  const parts = taskResultParts(live ? withoutBegunTag(text) : text);
  const [only] = parts;
  if (parts.length < 2 && only?.kind !== 'result')
    return <Markdown text={only?.text ?? ''} onCopy={copyCode} />;
  return parts.map((part, index) =>
    part.kind === 'text' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of text have no id, only the last grows
      <Markdown key={index} text={part.text} onCopy={copyCode} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <section key={index} className="claimed" aria-label={claimWords[part.claim]}>
        <p className="faint note">{claimWords[part.claim]}</p>
        <Markdown text={part.text} onCopy={copyCode} />
      </section>
    ),
  );
}
