/** The terminal process as it is, to be forked. */
import '../../src/main/pty-host/index';
