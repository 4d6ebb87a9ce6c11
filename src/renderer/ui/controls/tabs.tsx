import { type KeyboardEvent, type ReactNode, useRef } from 'react';

interface TabsProps {
  readonly label: string;
  readonly value: string;
  readonly tabs: readonly {
    readonly id: string;
    readonly label: ReactNode;
    readonly count?: number | undefined;
  }[];
  readonly onChange: (id: string) => void;
}

/**
 * The index that a key moves to from tab `at` of `count`: the arrows wrap around, as in the ARIA pattern of
 * tabs.
 */
function moved(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** One tab stop: the selected tab. From there the arrows select another. */
export function Tabs({ label, value, tabs, onChange }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const chosen = Math.max(
    tabs.findIndex((tab) => tab.id === value),
    0,
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const plain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
    const next = plain ? moved(event.key, chosen, tabs.length) : null;
    const tab = next === null ? undefined : tabs[next];
    if (next === null || tab === undefined) return;
    // The key would also move in the list beside.
    event.preventDefault();
    event.stopPropagation();
    list.current?.querySelectorAll('button')[next]?.focus();
    if (tab.id !== value) onChange(tab.id);
  };
  return (
    <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab, index) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === value}
          tabIndex={index === chosen ? 0 : -1}
          className={tab.id === value ? 'chosen' : ''}
          onClick={() => onChange(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <span className="count">{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
