import { useReadable, useSwitch } from '@renderer/client/hooks';
import { saveSettings, settings } from '@renderer/client/settings';
import { type RefObject, useEffect, useState } from 'react';

export interface DeskLayout {
  /** Null: there is only one file. */
  readonly tree: { readonly shown: boolean; readonly toggle: () => void } | null;
  /** The tree is beside the lines. */
  readonly beside: boolean;
  /** Old beside new; `splitWanted`: if there is space. */
  readonly split: boolean;
  readonly splitWanted: boolean;
  readonly flipLayout: () => void;
}

/** From this width on the tree is beside the lines, and lines can be beside each other. */
const TREE_PX = 720;
const TREE_WIDTH_PX = 240;
const SPLIT_PX = 620;

/** How a desk uses its space: by the operator's settings, and the width that it has. */
export function useDeskLayout(ref: RefObject<HTMLElement | null>, isMany: boolean): DeskLayout {
  const width = useWidthOf(ref);
  const { diffLayout } = useReadable(settings);
  const [shown, show] = useSwitch('changes.tree', true);
  const beside = shown && isMany && width >= TREE_PX;
  const splitWanted = diffLayout === 'split';
  return {
    tree: isMany ? { shown, toggle: () => show(!shown) } : null,
    beside,
    split: splitWanted && width - (beside ? TREE_WIDTH_PX : 0) >= SPLIT_PX,
    splitWanted,
    flipLayout: () => void saveSettings({ diffLayout: splitWanted ? 'unified' : 'split' }),
  };
}

function useWidthOf(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(900);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
