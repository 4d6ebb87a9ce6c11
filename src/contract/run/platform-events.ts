import { captureEvents, markEvents, workspaceEvents } from '@areas/changes/contract/events';
import { updateEvents } from '@areas/feed/contract/events';
import { gateEvents } from '@areas/gates/contract/events';
import { hostEvents } from '@areas/hosts/contract/events';
import { sessionEvents } from '@areas/sessions/contract/events';
import { activationEvents } from './activation/events';
import { commandEvents } from './command/events';
import type { EventIn, OfType } from './event-table';
import { laneEvents } from './lane/events';
import { lifecycleEvents } from './lifecycle/events';
import { progressEvents } from './progress/events';
import { promptEvents } from './prompt/events';
import { scopeEvents } from './scope/events';
import { timerEvents } from './timer/events';
import { turnEvents } from './turn/events';

/** The events that every run can have, whatever its steps are. */
export const platformEvents = [
  ...lifecycleEvents,
  ...activationEvents,
  ...scopeEvents,
  ...sessionEvents,
  ...turnEvents,
  ...promptEvents,
  ...workspaceEvents,
  ...captureEvents,
  ...markEvents,
  ...laneEvents,
  ...commandEvents,
  ...hostEvents,
  ...gateEvents,
  ...timerEvents,
  ...progressEvents,
  ...updateEvents,
] as const;
export type PlatformEvent = EventIn<typeof platformEvents>;
export type PlatformEventOf<T extends PlatformEvent['type']> = OfType<PlatformEvent, T>;
