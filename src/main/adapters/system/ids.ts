import { monotonicFactory } from 'ulid';
import type { Ids } from '../../core/ports/documents';

const next = monotonicFactory();

export const ulids: Ids = { ulid: () => next() };
