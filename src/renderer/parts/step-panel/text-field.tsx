import { useEffect, useRef, useState } from 'react';
import { TextArea, TextInput } from '../../ui/field';

/** A pause in typing after which the text is written to the file. */
const PAUSE_MS = 500;

interface TextFieldProps {
  readonly id?: string;
  readonly label?: string;
  readonly value: string;
  readonly long: boolean;
  readonly disabled: boolean;
  readonly invalid?: boolean;
  readonly placeholder?: string | undefined;
  readonly onCommit: (text: string) => void;
}

/** A text that is written to the file after a pause, and at once when the field is left. */
export function TextField({
  id,
  label,
  value,
  long,
  disabled,
  invalid,
  placeholder,
  onCommit,
}: TextFieldProps) {
  const [text, setText] = useState(value);
  const typed = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const commit = useRef(onCommit);
  commit.current = onCommit;
  // What came from elsewhere is shown, unless the operator is typing.
  useEffect(() => {
    if (typed.current === null) setText(value);
  }, [value]);
  const write = () => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    const fresh = typed.current;
    typed.current = null;
    if (fresh !== null) commit.current(fresh);
  };
  const leave = useRef(write);
  leave.current = write;
  useEffect(() => () => leave.current(), []);
  const props = {
    ...(id === undefined ? {} : { id }),
    ...(label === undefined ? {} : { 'aria-label': label }),
    ...{ value: text, disabled, placeholder, 'aria-invalid': invalid === true },
    onBlur: write,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setText(event.target.value);
      typed.current = event.target.value;
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = setTimeout(write, PAUSE_MS);
    },
  };
  return long ? (
    <TextArea rows={Math.min(16, Math.max(3, text.split('\n').length + 1))} {...props} />
  ) : (
    <TextInput {...props} />
  );
}
