import type { Socket } from 'node:net';

/**
 * Bounds the open connections without shutting clients out: those that have shown the token stay, and where there are
 * too many, the oldest one that has not is closed.
 */
export class ConnectionLimit {
  private readonly open = new Set<Socket>();
  /** In the order in which they were opened. */
  private readonly unproven = new Set<Socket>();

  constructor(private readonly most: number) {}

  opened(socket: Socket): void {
    this.open.add(socket);
    this.unproven.add(socket);
    socket.once('close', () => this.forget(socket));
    if (this.open.size <= this.most) return;
    const [oldest] = this.unproven;
    if (oldest === undefined) return;
    this.forget(oldest);
    oldest.destroy();
  }

  /** A request with the right token came over it. */
  proven(socket: Socket): void {
    this.unproven.delete(socket);
  }

  private forget(socket: Socket): void {
    this.open.delete(socket);
    this.unproven.delete(socket);
  }
}
