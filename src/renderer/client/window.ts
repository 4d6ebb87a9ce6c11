import { ActionRegistry } from './actions';
import { PushBus } from './bus';

/** What there is one of in this window. */
export const isMac = /mac/i.test(navigator.userAgent);
export const registry = new ActionRegistry(isMac);
export const bus = new PushBus(window.muster);
