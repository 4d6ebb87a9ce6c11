import { useReadable } from '../../client/hooks';
import { settings } from '../../client/settings';
import { List, type ListProps, type ListRow } from '../../ui/lists/list';

const DENSE = 0.84;

/** A list with the row height of the operator's density setting. */
export function RowList<Row extends ListRow>(props: Omit<ListProps<Row>, 'scale'>) {
  const { density } = useReadable(settings);
  return <List {...props} scale={density === 'dense' ? DENSE : 1} />;
}
