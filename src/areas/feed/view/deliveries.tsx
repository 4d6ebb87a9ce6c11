import type { DeliveryRow } from '@areas/deliveries/contract/procedures';
import { plural } from '@renderer/client/format';
import { useQuery, useReadable } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { settings } from '@renderer/client/settings';
import { attempt } from '@renderer/client/toasts';
import { Ago, Until } from '@renderer/parts/text/ago';
import { deliveryWords } from '@renderer/parts/words/status-words';
import { IconButton } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { RotateCw } from 'lucide-react';
import styles from './deliveries.module.css';

/** The targets to which an update was sent, and the results. */
export function Deliveries({ eventId }: { eventId: number }) {
  const { value } = useQuery('delivery.list', { eventId });
  const { targets } = useReadable(settings).deliveries;
  if (value === null || value.rows.length === 0) return null;
  return (
    <ul className={styles.updateDeliveries} aria-label="Deliveries">
      {[...value.rows].reverse().map((row) => (
        <Delivery key={row.id} row={row} name={targets.find(({ id }) => id === row.target)?.name ?? null} />
      ))}
    </ul>
  );
}

/** `name`: null if the target was removed. */
function Delivery({ row, name }: { row: DeliveryRow; name: string | null }) {
  const { icon, tone, word } = deliveryWords[row.state];
  const again = name !== null && (row.state === 'failed' || row.state === 'given_up');
  return (
    <li>
      <span className={`status ${tone}`}>
        <Glyph of={icon} size={13} />
        <span>{word}</span>
      </span>
      <span className="cut">
        {name ?? row.target} <How row={row} />
      </span>
      {again && (
        <IconButton
          icon={RotateCw}
          label={`Try ${name} now`}
          onClick={() => void attempt(call('delivery.retry', { id: row.id }))}
        />
      )}
    </li>
  );
}

function How({ row }: { row: DeliveryRow }) {
  const tries = plural(row.attempts, 'try', 'tries');
  switch (row.state) {
    case 'obsolete':
    case 'delivered':
      return (
        <span className="faint">
          <Ago at={row.closedAt ?? row.queuedAt} />
          {row.attempts > 1 && `, ${tries}`}
          {row.receipt && `, ${row.receipt}`}
        </span>
      );
    case 'failed':
      return (
        <span className="faint">
          {tries}, next <Until at={row.nextAt} />: {row.error}
        </span>
      );
    case 'given_up':
      return (
        <span className="faint">
          after {tries}: {row.error}
        </span>
      );
    case 'queued':
    case 'sending':
      return <span className="faint">{row.attempts > 1 ? tries : ''}</span>;
  }
}
