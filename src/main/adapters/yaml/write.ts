import { stringify } from 'yaml';

/** A new document; long texts stand as blocks and are not folded. */
export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0 });
