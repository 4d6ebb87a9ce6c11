import { ActionRegistry } from '../actions';
import { PushBus } from './bus';
import { inFrame } from './in-frame';

/** What there is one of in this window. */
export const isMac = /mac/i.test(navigator.userAgent);
export const registry = new ActionRegistry(isMac);
export const bus = new PushBus(window.muster, inFrame);
