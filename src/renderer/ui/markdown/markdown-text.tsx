import { Check, Copy } from 'lucide-react';
import { type ComponentProps, memo, useMemo, useRef, useState } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import { COPIED_LABEL_MS } from '../../limits';
import { Glyph } from '../controls/icon';
import { inPlainSight } from '../invisible-characters';
import { markdownChunks } from './chunks';
import { MOST_MARKDOWN_CHARACTERS } from './limit';
import styles from './markdown-text.module.css';

export interface MarkdownProps {
  readonly text: string;
  readonly onCopy: (text: string) => void;
  /** Follows a link within the window (`#/help/workflows`). Without it, no text leads anywhere in the window. */
  readonly onAddress?: (hash: string) => void;
}

/**
 * A text of an agent. Raw HTML stays text, nothing is loaded, links open through window.open. Of a very long
 * text only the growing end is shown; all of it can be copied.
 */
export const MarkdownText = memo(function MarkdownText({ text, onCopy, onAddress }: MarkdownProps) {
  const shown = text.length > MOST_MARKDOWN_CHARACTERS ? text.slice(-MOST_MARKDOWN_CHARACTERS) : text;
  const chunks = useMemo(
    () => markdownChunks(inPlainSight(shown)).map((chunk, index) => ({ chunk, index })),
    [shown],
  );
  return (
    <div className="markdown reads">
      {shown !== text && <LongNote text={text} onCopy={onCopy} />}
      {chunks.map(({ chunk, index }) => (
        <Chunk key={index} text={chunk} onCopy={onCopy} onAddress={onAddress} />
      ))}
    </div>
  );
});

function LongNote({ text, onCopy }: MarkdownProps) {
  const millions = (text.length / 1_000_000).toFixed(1);
  return (
    <p className="faint">
      The end of a text of {millions} million characters.{' '}
      <button type="button" className="link" onClick={() => onCopy(text)}>
        Copy all of it
      </button>
    </p>
  );
}

const remark = [remarkGfm];
/** Made once for all texts: it loads the grammars of all languages. */
const highlight = rehypeHighlight({ detect: false });
const rehype: ComponentProps<typeof ReactMarkdown>['rehypePlugins'] = [() => highlight];

const Chunk = memo(function Chunk({ text, onCopy, onAddress }: MarkdownProps) {
  const components = useMemo(() => elements({ onCopy, onAddress }), [onCopy, onAddress]);
  return (
    <ReactMarkdown remarkPlugins={remark} rehypePlugins={rehype} components={components}>
      {text}
    </ReactMarkdown>
  );
});

function elements({ onCopy, onAddress }: Omit<MarkdownProps, 'text'>): Components {
  return {
    a: ({ href, children }) => (
      <a
        href={href}
        title={href}
        onClick={(event) => {
          event.preventDefault();
          if (href?.startsWith('#')) onAddress?.(href);
          else if (href) window.open(href);
        }}
      >
        {children}
      </a>
    ),
    img: ({ alt, src }) => <span className="faint">[image: {alt || String(src)}]</span>,
    pre: ({ children }) => <CodeBlock onCopy={onCopy}>{children}</CodeBlock>,
    table: ({ children }) => (
      <div className={`${styles.tableScroll} scroll`}>
        <table>{children}</table>
      </div>
    ),
  };
}

function CodeBlock({ children, onCopy }: { children: React.ReactNode; onCopy: (text: string) => void }) {
  const ref = useRef<HTMLPreElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = () => {
    onCopy(ref.current?.textContent ?? '');
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_LABEL_MS);
  };
  return (
    <div className={styles.codeBlock}>
      <pre ref={ref} className="scroll">
        {children}
      </pre>
      <button type="button" className="icon-button" title="Copy" aria-label="Copy code" onClick={copy}>
        <Glyph of={copied ? Check : Copy} size={14} />
      </button>
    </div>
  );
}
