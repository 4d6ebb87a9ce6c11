import type { ReactNode } from 'react';

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

export function Tabs({ label, value, tabs, onChange }: TabsProps) {
  return (
    <div className="tabs" role="tablist" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === value}
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
