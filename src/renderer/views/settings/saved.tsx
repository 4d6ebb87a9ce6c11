import { type InputHTMLAttributes, useState } from 'react';
import { TextInput } from '../../ui/field';

interface SavedProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  readonly value: string;
  readonly onSave: (value: string) => Promise<boolean>;
}

/** A text that is saved when it is left or Enter is pressed; Esc takes it back. */
export function Saved({ value, onSave, ...rest }: SavedProps) {
  const [text, setText] = useState<string | null>(null);
  const leave = async () => {
    // What is refused stays as it was typed, to be corrected.
    if (text !== null && text !== value && !(await onSave(text))) return;
    setText(null);
  };
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
