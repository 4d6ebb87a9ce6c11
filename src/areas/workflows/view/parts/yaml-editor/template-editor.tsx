import { useEffect, useRef } from 'react';
import type { TemplatePreview } from '../../../contract/template-help';
import { type TemplateOption, TemplateText } from './template-text';

interface TemplateEditorProps {
  readonly label: string;
  /** The text to show. Typed text is reported with `onChange` and comes back here. */
  readonly text: string;
  readonly placeholder: string;
  readonly code: boolean;
  readonly lines: boolean;
  readonly disabled: boolean;
  /** Its problem; empty if there is none. */
  readonly problem: string;
  /** The references and problems of the text `of`. */
  readonly marks: (Pick<TemplatePreview, 'references' | 'problems'> & { readonly of: string }) | null;
  /** A position in the text that the operator asked to see. */
  readonly sought: { readonly of: unknown; readonly at: number } | null;
  readonly options: readonly TemplateOption[];
  readonly className: string;
  readonly onChange: (text: string) => void;
  readonly onLeave: () => void;
}

/** A form field for a text with references: it wraps, marks them and completes them. */
export function TemplateEditor(props: TemplateEditorProps) {
  const { label, text, disabled, problem, marks, className } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TemplateText | null>(null);
  const now = useRef(props);
  now.current = props;
  useEffect(() => {
    if (host.current === null) return;
    const { code, lines, placeholder } = now.current;
    const made = new TemplateText({
      host: host.current,
      text: now.current.text,
      label,
      code,
      lines,
      placeholder,
      options: () => now.current.options,
      changed: (written) => now.current.onChange(written),
      left: () => now.current.onLeave(),
    });
    editor.current = made;
    return () => {
      editor.current = null;
      made.end();
    };
  }, [label]);
  useEffect(() => editor.current?.show(text), [text]);
  useEffect(() => editor.current?.set({ disabled, invalid: problem !== '', problem }), [disabled, problem]);
  useEffect(() => {
    if (marks !== null) editor.current?.mark(marks, marks.of);
  }, [marks]);
  // Once per request: later typing moves the cursor elsewhere.
  const shownOf = useRef<unknown>(null);
  const { sought } = props;
  useEffect(() => {
    if (sought === null || sought.of === shownOf.current) return;
    shownOf.current = sought.of;
    editor.current?.goTo(sought.at);
  });
  return <div ref={host} className={className} data-part="template-editor" />;
}
