import type { ComponentProps, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';
import { useId } from 'react';
import { wholeSentence } from '../sentence';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
  readonly children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode;
}

/** A control with its label, a hint, and its error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div className={`field ${error ? styles.wrong : ''}`}>
      <label htmlFor={id}>{label}</label>
      <div className="field-control">
        {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': Boolean(error) })}
        <div id={`${id}-hint`} className={styles.fieldHint}>
          {error ? <span className="field-error">{wholeSentence(error)}</span> : hint}
        </div>
      </div>
    </div>
  );
}

/** The error of a group of controls. */
export const FieldError = ({ children }: { readonly children: string }) => (
  <p className="field-error">{wholeSentence(children)}</p>
);

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <input type="text" className={`input ${className}`} spellCheck={false} autoComplete="off" {...rest} />
  );
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={`input area ${className}`} spellCheck={false} {...rest} />;
}

export function Select({ className = '', ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select className={`input select ${className}`} {...rest} />;
}

interface CheckProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  readonly children: ReactNode;
}

export function Check({ children, ...rest }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" {...rest} />
      <span>{children}</span>
    </label>
  );
}

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: ReactNode }[];
  readonly onChange: (value: T) => void;
}

/** A choice between a few options, all visible. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset className="segments" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={option.value === value ? 'chosen' : ''}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
