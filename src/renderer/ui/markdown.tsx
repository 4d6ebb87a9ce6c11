import { Check, Copy } from 'lucide-react';
import { type ComponentProps, memo, useMemo, useRef, useState } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import { Glyph } from './icon';
import { markdownChunks } from './markdown-chunks';

interface MarkdownProps {
  readonly text: string;
  readonly onCopy: (text: string) => void;
}

/** What an agent wrote. Raw HTML stays text, nothing is loaded, a link leaves through window.open. */
export const Markdown = memo(function Markdown({ text, onCopy }: MarkdownProps) {
  const chunks = useMemo(() => markdownChunks(text).map((chunk, index) => ({ chunk, index })), [text]);
  return (
    <div className="markdown reads">
      {chunks.map(({ chunk, index }) => (
        <Chunk key={index} text={chunk} onCopy={onCopy} />
      ))}
    </div>
  );
});

const remark = [remarkGfm];
const rehype: ComponentProps<typeof ReactMarkdown>['rehypePlugins'] = [[rehypeHighlight, { detect: false }]];

const Chunk = memo(function Chunk({ text, onCopy }: MarkdownProps) {
  const components = useMemo(() => elements(onCopy), [onCopy]);
  return (
    <ReactMarkdown remarkPlugins={remark} rehypePlugins={rehype} components={components}>
      {text}
    </ReactMarkdown>
  );
});

function elements(onCopy: (text: string) => void): Components {
  return {
    a: ({ href, children }) => (
      <a
        href={href}
        title={href}
        onClick={(event) => {
          event.preventDefault();
          if (href) window.open(href);
        }}
      >
        {children}
      </a>
    ),
    img: ({ alt, src }) => <span className="faint">[image: {alt || String(src)}]</span>,
    pre: ({ children }) => <CodeBlock onCopy={onCopy}>{children}</CodeBlock>,
    table: ({ children }) => (
      <div className="table-scroll scroll">
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
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div className="code-block">
      <pre ref={ref} className="scroll">
        {children}
      </pre>
      <button type="button" className="icon-button" title="Copy" aria-label="Copy code" onClick={copy}>
        <Glyph of={copied ? Check : Copy} size={14} />
      </button>
    </div>
  );
}
