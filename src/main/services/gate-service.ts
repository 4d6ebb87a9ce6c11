import { appError } from '@contract/errors';
import type { GateRow } from '@contract/gate/procedures';
import type { ParsedInput } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import type { Engine } from '../core/engine/engine';
import type { Store } from '../core/ports/store';

/** Answers gates. An answer is an event like any other: it counts from its commit on, whoever waits for it. */
export class GateService {
  constructor(private readonly parts: { engine: Engine; store: Store }) {}

  /** The first answer counts; a second one is refused with what was answered. */
  async resolve(input: ParsedInput<'gate.resolve'>): Promise<Result<GateRow>> {
    const { runId, gateId, answer, by } = input;
    const done = await this.parts.engine.command(runId, ({ state }) => {
      const gate = state.gates[gateId];
      if (gate === undefined) return err(appError('not_found', `there is no gate ${gateId} in run ${runId}`));
      if (gate.status !== 'open') {
        const how =
          gate.status === 'withdrawn'
            ? `withdrawn: ${gate.reason ?? ''}`
            : `answered with "${gate.answer?.option ?? ''}" by ${gate.by ?? ''}`;
        return err(appError('gate.already_resolved', `the gate was ${how}`));
      }
      const option = gate.options.find((entry) => entry.id === answer.option);
      if (option === undefined) {
        const has = gate.options.map((entry) => entry.id).join(', ');
        return err(
          appError('gate.bad_answer', `"${answer.option}" is no option of this gate`, {
            mend: `answer with one of: ${has}`,
          }),
        );
      }
      return ok([{ type: 'gate.resolved', gateId, answer, by }]);
    });
    if (!done.ok) return done;
    return this.row(runId, gateId);
  }

  snooze(runId: number, gateId: number, until: number | null): Result<GateRow> {
    this.parts.store.snooze(runId, gateId, until);
    return this.row(runId, gateId);
  }

  private row(runId: number, gateId: number): Result<GateRow> {
    const row = this.parts.store.gate(runId, gateId);
    return row === null ? err(appError('not_found', `there is no gate ${gateId} in run ${runId}`)) : ok(row);
  }
}
