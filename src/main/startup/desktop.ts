// First, since it affects everything created after it.
import './plain-parsers';

/**
 * The parts of main that are not needed in the first moment; loaded while the core's and the window's
 * processes start.
 */
export { DesktopApp } from '../desktop/compose';
