/** `bare.js FILE`: the minimum for reading a database: Node, better-sqlite3, the file. */
import Database from 'better-sqlite3';
import { say } from '../kit/say';

const db = new Database(process.argv[2] ?? '');
db.pragma('journal_mode = WAL');
say(db.prepare('select count(*) as tables from sqlite_schema').get());
