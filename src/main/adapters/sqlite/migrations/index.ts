import { runsMigration } from './0001-runs';
import { permissionRulesMigration } from './0002-permission-rules';
import { terminalsMigration } from './0003-terminals';
import { outboxMigration } from './0004-outbox';
import { announcementsMigration } from './0005-announcements';
import { searchedQuestionsMigration } from './0006-searched-questions';
import { usagesMigration } from './0007-usages';
import { unreadColumnsMigration } from './0008-unread-columns';
import type { Migration } from './migration';

/** In order, without a gap. */
export const MIGRATIONS: readonly Migration[] = [
  runsMigration,
  permissionRulesMigration,
  terminalsMigration,
  outboxMigration,
  announcementsMigration,
  searchedQuestionsMigration,
  usagesMigration,
  unreadColumnsMigration,
];
