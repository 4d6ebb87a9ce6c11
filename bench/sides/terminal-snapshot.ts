/** Its thread that draws the past. */
import '../../src/main/pty-host/snapshot-thread';
