import { appendFileSync } from 'node:fs';
import { TopicPublisher as Own } from '../../src/main/services/publisher';

/**
 * As the core's own class, and writes when it received the commit of a member's result: a line `RUN MEMBER
 * ROUND TIME`.
 */
export class TopicPublisher extends Own {
  override committed(...[runId, events, state]: Parameters<Own['committed']>): void {
    const now = performance.timeOrigin + performance.now();
    for (const { event } of events) {
      if (event.type !== 'team.result' || process.env.BENCH_COMMITS === undefined) continue;
      appendFileSync(process.env.BENCH_COMMITS, `${runId} ${event.member} ${event.round} ${now}\n`);
    }
    super.committed(runId, events, state);
  }
}
