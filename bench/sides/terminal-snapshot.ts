/** Its thread that draws the past output. */
import '../../src/main/pty-host/snapshot-thread';
