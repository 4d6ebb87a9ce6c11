import type { Problem } from '@contract/errors';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { YamlText } from './editor';
import type { Knowledge } from './json-schema';

export interface YamlEditorHandle {
  goTo(line: number, column?: number): void;
}

interface YamlEditorProps {
  readonly label: string;
  /** The text to show. Typed text is reported with `onChange` and comes back here. */
  readonly text: string;
  readonly problems: readonly Problem[];
  readonly knowledge: Knowledge;
  readonly className: string;
  readonly handle: RefObject<YamlEditorHandle | null>;
  readonly onChange: (text: string) => void;
}

export function YamlEditor(props: YamlEditorProps) {
  const { label, text, problems, className, handle } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<YamlText | null>(null);
  const now = useRef(props);
  now.current = props;
  useEffect(() => {
    if (host.current === null) return;
    const made = new YamlText({
      host: host.current,
      text: now.current.text,
      label,
      knowledge: () => now.current.knowledge,
      changed: (written) => now.current.onChange(written),
    });
    editor.current = made;
    return () => {
      editor.current = null;
      made.end();
    };
  }, [label]);
  useEffect(() => editor.current?.show(text), [text]);
  useEffect(() => editor.current?.mark(problems), [problems]);
  useImperativeHandle(handle, () => ({ goTo: (line, column) => editor.current?.goTo(line, column) }));
  return <div ref={host} className={className} data-part="yaml-editor" />;
}
