import { MIB } from '@contract/size-units';

/** A longer line of events is not parsed. */
export const LINE_BYTES = 4 * MIB;
