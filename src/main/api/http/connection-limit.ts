import type { Socket } from 'node:net';

/**
 * Limits open connections without locking clients out: those that have shown the token stay; if there are too
 * many, the oldest of the others is closed.
 */
export class ConnectionLimit {
  private readonly open = new Set<Socket>();
  /** In opening order. */
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

  /** A request with the valid token arrived on it. */
  proven(socket: Socket): void {
    this.unproven.delete(socket);
  }

  private forget(socket: Socket): void {
    this.open.delete(socket);
    this.unproven.delete(socket);
  }
}
