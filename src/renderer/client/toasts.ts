import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import { ERROR_TOAST_MS, TOAST_MS } from '../limits';
import { Cell } from './store';

export interface Toast {
  readonly id: number;
  readonly tone: 'done' | 'failed' | 'plain';
  readonly text: string;
  readonly error: AppError | null;
  /** An action for the toast, such as undo. */
  readonly act?: ToastAct;
}

interface ToastAct {
  readonly verb: string;
  readonly run: () => void;
}
const MOST_TOASTS = 3;

export const toasts = new Cell<readonly Toast[]>([]);
let last = 0;

function add(toast: Omit<Toast, 'id'>): number {
  last += 1;
  const id = last;
  toasts.update((list) => [...list, { ...toast, id }].slice(-MOST_TOASTS));
  return id;
}

function show(toast: Omit<Toast, 'id'>): void {
  const id = add(toast);
  setTimeout(() => dismiss(id), toast.error === null && !toast.act ? TOAST_MS : ERROR_TOAST_MS);
}

export const dismiss = (id: number): void => toasts.update((list) => list.filter((toast) => toast.id !== id));
export const say = (text: string): void => show({ tone: 'done', text, error: null });
/** Stays as long as an error: there is something to decide. */
export const offer = (text: string, act: ToastAct): void => show({ tone: 'done', text, error: null, act });
export const complain = (error: AppError): void => show({ tone: 'failed', text: error.message, error });

/** Shown until the returned function is called: something goes on that can be stopped. */
export function during(text: string, act: ToastAct): () => void {
  const id = add({ tone: 'plain', text, error: null, act });
  return () => dismiss(id);
}

/** Waits for an operation of the operator and reports its result; a failure always. */
export async function attempt<T>(work: Promise<Result<T>>, done: string | null = null): Promise<T | null> {
  const result = await work;
  if (!result.ok) {
    complain(result.error);
    return null;
  }
  if (done !== null) say(done);
  return result.value;
}
