import { stringify } from 'yaml';

/** A new document; long texts are blocks and not folded. */
export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0 });
