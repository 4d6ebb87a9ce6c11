import { ownValue } from '@contract/own';

/** A value of a foreign document, which is not trusted. */
export type Raw = { readonly [key: string]: unknown };

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const rawAt = (raw: Raw, key: string): Raw | null => {
  const value = ownValue(raw, key);
  return isRaw(value) ? value : null;
};
export const textAt = (raw: Raw, key: string): string | null => {
  const value = ownValue(raw, key);
  return typeof value === 'string' ? value : null;
};
export const numberAt = (raw: Raw, key: string): number | null => {
  const value = ownValue(raw, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};
export const listAt = (raw: Raw, key: string): readonly unknown[] => {
  const value = ownValue(raw, key);
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
};
