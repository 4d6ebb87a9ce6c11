// First: what is made after it keeps to it.
import './plain-parsers';

/** All of main that is not needed in the first moment; read while the core's process and the window's begin. */
export { DesktopApp } from '../desktop/compose';
