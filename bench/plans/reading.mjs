import { interleaved } from '../lib/compare.mjs';
import { databaseOf } from '../lib/databases.mjs';
import { runSide } from '../lib/side.mjs';
import { median, spread } from '../lib/statistics.mjs';

const sizes = (quick) => (quick ? { large: 100_000, small: 10_000 } : { large: 1_000_000, small: 100_000 });
const inMs = (values) => `${spread(values, 3)} ms`;

export const feed = {
  name: 'feed',
  async run({ side, quick }) {
    const { large, small } = sizes(quick);
    const page = (file) => async () => median(await runSide(side('feed'), [file]));
    const { ours, limit, ratio, middle } = await interleaved(
      quick ? 3 : 7,
      { ours: page(await databaseOf(side, large)), limit: page(await databaseOf(side, small)) },
      (many, few) => many / few,
    );
    return [
      {
        what: `feed page of 100 at ${large} events, p50, against ${small}`,
        ours: inMs(ours),
        limit: inMs(limit),
        ratio: middle,
        ratios: spread(ratio),
        goal: { atMost: 1.3 },
        note: 'half of the pages are the latest, half lie anywhere in the past.',
      },
    ];
  },
};

export const search = {
  name: 'search',
  async run({ side, quick }) {
    const file = await databaseOf(side, sizes(quick).large);
    const medians = async (which) => {
      const times = await runSide(side('search'), [which, file]);
      return Object.fromEntries(Object.entries(times).map(([query, values]) => [query, median(values)]));
    };
    const { ours, limit } = await interleaved(
      quick ? 3 : 7,
      { ours: () => medians('ours'), limit: () => medians('raw') },
      () => 0,
    );
    return ['common', 'rare', 'two'].map((query) => {
      const ratio = ours.map((own, round) => own[query] / limit[round][query]);
      return {
        what: `search, newest 50, ${query === 'two' ? 'two words' : `a ${query} word`}, p50`,
        ours: inMs(ours.map((own) => own[query])),
        limit: inMs(limit.map((raw) => raw[query])),
        ratio: median(ratio),
        ratios: spread(ratio),
        goal: { atMost: 1.5 },
        note: 'the limit asks FTS5 on the same table for each hit with its run, time and text; ours also parses them and cuts an excerpt.',
      };
    });
  },
};

export const size = {
  name: 'size',
  async run({ side, quick }) {
    const {
      events,
      file,
      search: words,
      payload,
    } = await runSide(side('size'), [await databaseOf(side, sizes(quick).large)]);
    const row = (what, bytes, atMost) => ({
      what,
      ours: `${(bytes / events).toFixed(0)} B`,
      limit: `${(payload / events).toFixed(0)} B`,
      ratio: bytes / payload,
      goal: { atMost },
      note: 'the whole file with all tables and indexes, against the events as JSON.',
    });
    return [
      row('bytes per event, without search', file - words, 1.25),
      row('bytes per event, with search', file, 1.5),
    ];
  },
};
