import { type ReactNode, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button';
import styles from './dialog.module.css';

interface DialogProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. Esc and a click outside close it. */
export function Dialog({ label, className, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('textarea, input, footer button')?.focus();
    return () => {
      dialog?.close();
      // The browser restores the focus only while the dialog is in the page: otherwise the next keys would be
      // commands.
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a modal dialog by itself
    <dialog
      ref={ref}
      className={`${styles.dialog} ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}

/** Closes a dialog at once, before the next action: nothing behind an open one can get the focus. */
export const closeFirst = (close: () => void): void => flushSync(close);

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly verb: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** A confirmation, only for what cannot be undone. */
export function Confirm({ title, children, verb, onConfirm, onClose }: ConfirmProps) {
  return (
    <Question
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button
            tone="danger"
            onClick={() => {
              onConfirm();
              onClose();
            }}
          >
            {verb}
          </Button>
        </>
      }
    >
      <div className="quiet">{children}</div>
    </Question>
  );
}

interface QuestionProps extends Omit<DialogProps, 'label' | 'className'> {
  readonly className?: string;
  readonly title: string;
  /** Its buttons. */
  readonly footer: ReactNode;
}

/** A dialog with a title, its text or fields, and buttons below. */
export function Question({ title, footer, onClose, children, className = '' }: QuestionProps) {
  return (
    <Dialog label={title} className={`${styles.question} ${className}`} onClose={onClose}>
      <h2 className={styles.questionTitle}>{title}</h2>
      {children}
      <footer>{footer}</footer>
    </Dialog>
  );
}
