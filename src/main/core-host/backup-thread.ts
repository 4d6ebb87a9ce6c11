import { parentPort, workerData } from 'node:worker_threads';
import { backUpInThread, type ThreadOrder } from '../adapters/sqlite/backup';

/** The core's thread for one backup (`adapters/sqlite/backup`). Its only message is the outcome. */
const order: ThreadOrder = workerData;
void backUpInThread(order).then((outcome) => parentPort?.postMessage(outcome));
