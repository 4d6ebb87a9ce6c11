import { useReadable, useRoute } from '@renderer/client/hooks';
import { setQuery } from '@renderer/client/route';
import { layout, saveLayout } from '@renderer/client/settings';
import { isPane, type PaneId } from './panes';

const KEY = 'session.pane';

/** The selected pane: from the address, otherwise the last one. */
export function usePane(): [PaneId, (pane: PaneId) => void] {
  const { query } = useRoute();
  const kept = useReadable(layout)[KEY];
  const openPane = [query.show, kept].find(isPane) ?? 'transcript';
  return [
    openPane,
    (pane) => {
      saveLayout(KEY, pane);
      setQuery({ show: query.show === undefined ? '' : pane });
    },
  ];
}
