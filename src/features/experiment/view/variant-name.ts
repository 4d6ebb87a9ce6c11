import type { Json } from '@contract/ids';

/** The author's name for a variant. */
export function variantName(config: Json | undefined, index: number): string | null {
  const isMap = config !== null && typeof config === 'object' && !Array.isArray(config);
  const variants = isMap ? config.variants : undefined;
  const variant = Array.isArray(variants) ? variants[index - 1] : undefined;
  if (variant === null || typeof variant !== 'object' || Array.isArray(variant)) return null;
  return typeof variant.name === 'string' ? variant.name : null;
}
