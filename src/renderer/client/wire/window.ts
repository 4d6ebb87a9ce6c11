import { ActionRegistry } from '../actions';
import { PushBus } from './bus';
import { inFrame } from './in-frame';

/** Singletons of this window. */
export const isMac = /mac/i.test(navigator.userAgent);
export const registry = new ActionRegistry(isMac);
export const bus = new PushBus(window.muster, inFrame);
