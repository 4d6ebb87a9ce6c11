/** The real terminal process, to be forked. */
import '../../src/main/pty-host/index';
