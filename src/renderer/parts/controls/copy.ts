import { addressOf } from '../../client/route';
import { call } from '../../client/rpc';
import { momentNow } from '../../client/runs/moment';
import { attempt } from '../../client/toasts';

export function copyText(text: string, what = 'Copied'): void {
  void attempt(call('app.copyText', { text }), what);
}

export function copyAddress(...path: (string | number)[]): void {
  const moment = momentNow();
  const address = addressOf(...path) + (moment === null ? '' : `?at=${moment}`);
  copyText(address, `Copied ${address}`);
}
