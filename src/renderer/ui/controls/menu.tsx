import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { Keys } from './keys';
import styles from './menu.module.css';

export interface MenuItem {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly caps?: readonly string[];
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** A menu beside the button that opened it. Digits choose, arrows move, Esc closes. */
export function Menu({ label, items, onClose }: MenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  const leave = useEffectEvent(() => onClose());
  // Only once: a further call would move the focus back to the first item during a choice. The focus is
  // restored before the chosen action is rendered, which may need it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    ref.current?.querySelector('button')?.focus();
    const away = (event: PointerEvent) => {
      if (!ref.current?.contains(event.target as Node)) leave();
    };
    window.addEventListener('pointerdown', away);
    return () => {
      window.removeEventListener('pointerdown', away);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const choose = (item: MenuItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const buttons = [...(ref.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'ArrowDown' || event.key === 'j') buttons[(at + 1) % buttons.length]?.focus();
    else if (event.key === 'ArrowUp' || event.key === 'k') buttons.at(at - 1)?.focus();
    else if (event.key === 'Escape') onClose();
    else if (/^[1-9]$/.test(event.key)) choose(items[Number(event.key) - 1]);
    else if (event.key !== 'Enter' && event.key !== ' ' && event.key !== 'Tab') return;
    event.stopPropagation();
    if (event.key !== 'Tab' && event.key !== 'Enter' && event.key !== ' ') event.preventDefault();
  };
  return (
    <div ref={ref} className="menu" role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {items.map((item, index) => (
        <button key={item.id} type="button" role="menuitem" onClick={() => choose(item)}>
          <span className="grow">
            {item.label}
            {item.hint && <span className={styles.menuHint}>{item.hint}</span>}
          </span>
          <Keys caps={item.caps ?? (index < 9 ? [String(index + 1)] : [])} />
        </button>
      ))}
    </div>
  );
}
