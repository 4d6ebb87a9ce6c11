import type { LucideIcon } from 'lucide-react';

export type Icon = LucideIcon;

/** An icon beside a word that says the same; an icon alone needs a name on its parent. */
export function Glyph({ of: Of, size = 16 }: { of: Icon; size?: number }) {
  return <Of className="icon" size={size} strokeWidth={1.75} aria-hidden />;
}
