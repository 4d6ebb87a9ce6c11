import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';
import { Glyph, type Icon } from './icon';
import { Keys } from './keys';

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'title'>;

export interface ButtonProps extends Attributes {
  readonly tone?: 'plain' | 'primary' | 'danger' | 'ghost' | undefined;
  readonly icon?: Icon | undefined;
  readonly caps?: readonly string[] | undefined;
  readonly tip?: string | undefined;
  readonly children: ReactNode;
}

/** A button with a verb, and its key if it has one. */
export function Button({
  tone = 'plain',
  icon,
  caps = [],
  tip,
  children,
  className = '',
  ...rest
}: ButtonProps) {
  return (
    <button type="button" className={`button ${tone} ${className}`} title={tip} {...rest}>
      {icon && <Glyph of={icon} size={15} />}
      <span className="cut">{children}</span>
      <Keys caps={caps} />
    </button>
  );
}

export interface IconButtonProps extends Attributes {
  readonly label: string;
  readonly icon: Icon;
  readonly caps?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}

/** An icon button that shows its name and key on hover. */
export function IconButton({ label, icon, caps = [], active, className = '', ...rest }: IconButtonProps) {
  const tip = caps.length > 0 ? `${label} (${caps.join(' ')})` : label;
  return (
    <button
      type="button"
      className={`icon-button ${active ? styles.active : ''} ${className}`}
      title={tip}
      aria-label={label}
      aria-pressed={active}
      {...rest}
    >
      <Glyph of={icon} />
    </button>
  );
}
