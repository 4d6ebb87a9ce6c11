import type { Push, RpcReply, Topic } from '@contract/ipc';
import type { CoreCalls } from '../../api/core-service';
import type { Link } from '../link/link';

/** A link to an in-memory core, which a test can lose. */
export class FakeLink implements Link {
  readonly pid = 4711;
  working: Link['working'] = () => [];
  apiAddress: Link['apiAddress'] = () => null;
  guests: Link['guests'] = () => 0;
  readonly takenUp: (readonly number[] | undefined)[] = [];
  readonly lost: Promise<void>;
  closed = false;
  lose: () => void = () => undefined;

  constructor(
    private readonly core: CoreCalls,
    readonly kind: Link['kind'] = 'attached',
  ) {
    this.lost = new Promise((resolve) => {
      this.lose = resolve;
    });
  }

  call(name: string, input: unknown): RpcReply | Promise<RpcReply> {
    return this.core.call(name, input);
  }

  follow(topics: readonly Topic[], listener: (pushes: readonly Push[]) => void) {
    return this.core.follow(topics, listener);
  }

  async takeUp(runIds?: readonly number[]): Promise<void> {
    this.takenUp.push(runIds);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}
