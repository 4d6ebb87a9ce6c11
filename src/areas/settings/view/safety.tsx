import { Backups } from '@areas/backups/view/parts/backups';
import { Diagnostics } from '@areas/diagnostics/view/parts/diagnostics';

/** What leads back to work after a fault. */
export const Safety = () => (
  <>
    <Backups />
    <Diagnostics />
  </>
);
