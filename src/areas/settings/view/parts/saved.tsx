import { TextArea, TextInput } from '@renderer/ui/controls/field';
import { type InputHTMLAttributes, type TextareaHTMLAttributes, useState } from 'react';

interface SavedProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  readonly value: string;
  readonly onSave: (value: string) => Promise<boolean>;
}

/** A text that is saved when it loses the focus or Enter is pressed; Esc reverts it. */
export function Saved({ value, onSave, ...rest }: SavedProps) {
  const { text, setText, leave } = useSaved(value, onSave);
  return (
    <TextInput
      {...rest}
      value={text ?? value}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => void leave()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void leave();
        if (event.key === 'Escape') setText(null);
      }}
    />
  );
}

interface SavedLinesProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'> {
  readonly value: string;
  readonly onSave: (value: string) => Promise<boolean>;
}

/** Lines that are saved when they lose the focus; Esc reverts them. */
export function SavedLines({ value, onSave, ...rest }: SavedLinesProps) {
  const { text, setText, leave } = useSaved(value, onSave);
  return (
    <TextArea
      {...rest}
      rows={3}
      value={text ?? value}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => void leave()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setText(null);
      }}
    />
  );
}

function useSaved(value: string, onSave: (value: string) => Promise<boolean>) {
  const [text, setText] = useState<string | null>(null);
  const leave = async () => {
    // A rejected text stays as typed, to be corrected.
    if (text !== null && text !== value && !(await onSave(text))) return;
    setText(null);
  };
  return { text, setText, leave };
}
