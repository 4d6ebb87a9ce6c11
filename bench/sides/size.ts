/** `size.js FILE`: the bytes of a database: the total, the search, and the content of its events. */
import Database from 'better-sqlite3';
import { say } from '../kit/say';

const db = new Database(process.argv[2] ?? '', { readonly: true });
const number = (sql: string) => Number(db.prepare(sql).pluck().get());

say({
  events: number('select count(*) from events'),
  file: number('select page_count * page_size from pragma_page_count, pragma_page_size'),
  search: number("select coalesce(sum(pgsize), 0) from dbstat where name like 'search%'"),
  payload: number(`select sum(octet_length(body) + octet_length('"type":"",') + octet_length(name))
    from events join event_types on event_types.id = events.type`),
});
