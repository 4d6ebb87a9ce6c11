import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { run } from '../../tools/lib/run.mjs';
import { interleaved } from '../lib/compare.mjs';
import { startElectron } from '../lib/electron.mjs';
import { EVENTS_OF } from '../lib/pushes.mjs';
import { bareRelay, FRAME_MS } from '../lib/relay.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { median, quantile, spread } from '../lib/statistics.mjs';
import { addProject, CALL, openApp, startTeam, wait } from '../lib/team-app.mjs';
import { variantApp } from '../lib/variant-app.mjs';

const built = () => existsSync(join(root, 'out', 'main', 'startup', 'main.cjs'));
const UNBUILT = 'the app is not built: npm run build';
const load = () => `load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`;

/** A plan that needs the built app. */
const onApp = ({ name, what, goal, measure }) => ({
  name,
  async run({ side, quick }) {
    if (!built()) return [{ what, goal, missing: UNBUILT }];
    return inFolder(async (home) => [].concat(await measure({ what, goal, home, side, quick })));
  },
});

/** In the page: the start of the frame being drawn; null if no frame was requested. */
const FRAMES = `
  const ask = window.plainFrame ??= window.requestAnimationFrame.bind(window);
  let frame = null;
  window.requestAnimationFrame = (draw) => ask((time) => {
    const now = document.timeline.currentTime;
    if (frame?.now !== now) frame = { now, at: performance.now() };
    draw(time);
  });
  const frameBegan = () => frame?.now === document.timeline.currentTime ? frame.at : null;`;

/**
 * In the page: prompts each member. For each result it notes when the push arrived, when the frame that draws
 * its card began, and when the card was laid out, which a size observer reports.
 */
const rounds = ({ runId, members, times }) => `(async () => { ${CALL}
  const eventsOf = ${EVENTS_OF};
  const cards = [];
  const due = new Map();
  let begun = () => undefined;
  const selector = ({ name, round }) => 'article[aria-label="Result of ' + name + ', round ' + round + '"]';
  ${FRAMES}
  const drawn = (card, key, told) => {
    const sizes = new ResizeObserver(() => {
      sizes.disconnect();
      const now = performance.now();
      const since = performance.timeOrigin;
      cards.push({ key, told, drawn: since + (frameBegan() ?? now), laidOut: since + now });
      begun();
    });
    sizes.observe(card);
  };
  const look = () => {
    for (const [key, one] of [...due]) {
      const card = document.querySelector(selector(one));
      if (card === null) continue;
      due.delete(key);
      drawn(card, key, one.told);
    }
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document.querySelector('[data-part="team-chat"]'), { childList: true, subtree: true });
  const deaf = muster.onPush((pushes) => {
    for (const push of pushes) {
      if (push.topic !== 'run') continue;
      for (const { event } of eventsOf(push))
        if (event.type === 'team.result') {
          const told = performance.timeOrigin + performance.now();
          due.set(event.member + ' ' + event.round, { name: event.member, round: event.round, told });
        }
    }
    look();
  });
  for (let time = 1; time <= ${times}; time += 1) {
    const all = new Promise((resolve) => { begun = () => cards.length >= time * ${members} && resolve(); });
    for (let member = 1; member <= ${members}; member += 1)
      await call('team.say', { runId: ${runId}, activationId: 1, to: 'member-' + member, text: 'Once more.' });
    await all;
  }
  watcher.disconnect();
  deaf?.();
  return cards;
})()`;

/** The age of each result, in milliseconds since its commit, by round. */
function agesOf(rounds, commits) {
  const at = new Map();
  for (const line of readFileSync(commits, 'utf8').trim().split('\n')) {
    const [, member, round, time] = line.split(' ');
    at.set(`${member} ${round}`, Number(time));
  }
  const ages = (cards, of) => cards.map((card) => card[of] - at.get(card.key));
  return rounds.map((cards) => ({
    told: ages(cards, 'told'),
    drawn: ages(cards, 'drawn'),
    laidOut: ages(cards, 'laidOut'),
  }));
}

export const teamsResult = onApp({
  name: 'teams-result',
  what: "a member's result to its card on the screen, p99",
  goal: { atMost: 1 },
  measure: async ({ what, goal, home, quick }) => {
    const members = 5;
    const times = quick ? 10 : 30;
    const commits = join(home, 'commits');
    const folder = await variantApp('noted');
    const app = await openApp(join(home, 'data'), { folder, env: { BENCH_COMMITS: commits } });
    const projectId = await addProject(app, home);
    const runId = await startTeam(app, { projectId, members });
    await app.ask('page', { code: rounds({ runId, members, times: 5 }) });
    const ours = [];
    const bare = [];
    for (let round = 0; round < (quick ? 3 : 5); round += 1) {
      ours.push(await app.ask('page', { code: rounds({ runId, members, times }) }));
      bare.push(await bareRelay(home));
    }
    await app.end();
    const ages = agesOf(ours, commits);
    const p99 = ages.map(({ drawn }) => quantile(drawn, 0.99));
    const limits = bare.map((one) => one + FRAME_MS);
    const ratios = p99.map((one, index) => one / limits[index]);
    const middles = ages.map(({ drawn }) => median(drawn));
    const told = ages.map((one) => quantile(one.told, 0.99));
    const laidOut = ages.map((one) => quantile(one.laidOut, 0.99));
    return {
      what,
      goal,
      ours: `${spread(p99, 1)} ms`,
      limit: `${spread(limits, 1)} ms`,
      ratio: median(ratios),
      ratios: spread(ratios),
      note: `the median is ${spread(middles, 1)} ms, the window knows of it after ${spread(told, 1)} ms and the card is laid out after ${spread(laidOut, 1)} ms (p99); from the moment after the commit to the start of the frame that draws the card; the limit is one frame and the p99 of a bare relay; ${members * times} results a round; ${load()}.`,
    };
  },
});

/** In the page: the milliseconds from the new address to the frame with the chat's last words. */
const opening = ({ runId, last }) => `new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    if (!document.querySelector('[data-part="team-chat"]')?.textContent.includes(${JSON.stringify(last)})) return;
    watcher.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - began));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { childList: true, subtree: true });
  location.hash = '#/team/${runId}/1/all';
})`;

const leave = `new Promise((resolve) => {
  location.hash = '#/settings';
  const look = () => document.querySelector('[data-part="team-chat"]') === null ? resolve() : setTimeout(look, 50);
  look();
})`;

const KINDS = { live: 'of a team at work', ended: 'of one that has ended' };

/** Teams with a short and with a long chat, in one database. */
async function seeded({ side, home, short, long }) {
  const project = join(home, 'project');
  mkdirSync(project, { recursive: true });
  const data = join(home, 'data');
  return { data, teams: await runSide(side('seed-team'), [join(data, 'muster.db'), project, short, long]) };
}

async function openings({ home, side, quick, what, goal }) {
  const [short, long] = quick ? [500, 10_000] : [500, 50_000];
  const { data, teams } = await seeded({ side, home, short, long });
  const app = await openApp(data);
  await wait(3_000);
  const time = (of) => async () => {
    await app.ask('page', { code: leave });
    await wait(300);
    return app.ask('page', { code: opening(of) });
  };
  const rows = [];
  for (const kind of Object.keys(KINDS)) {
    const sides = { ours: time(teams[kind].long), limit: time(teams[kind].short) };
    await sides.ours();
    await sides.limit();
    const { ours, limit, ratio, middle } = await interleaved(
      quick ? 5 : 11,
      sides,
      (own, bare) => own / bare,
    );
    rows.push({
      what: `${what} again, ${long} messages against ${short}, ${KINDS[kind]}`,
      ours: `${spread(ours, 0)} ms`,
      limit: `${spread(limit, 0)} ms`,
      ratio: middle,
      ratios: spread(ratio),
      goal,
      note: `from the address to the frame with the last words, in a window that has shown both before; ${load()}.`,
    });
  }
  await app.end();
  return rows;
}

export const teamsOpening = onApp({
  name: 'teams-opening',
  what: 'opening a chat',
  goal: { atMost: 1.5 },
  measure: openings,
});

/** The milliseconds of an app's first opening of a chat: no team was read since its start. */
async function firstOpening(data, of) {
  const app = await startElectron([root, '--data-dir', data, 'muster://settings'], { selector: 'section' });
  await app.painted;
  await wait(1_500);
  const taken = await app.ask('page', { code: opening(of) });
  await app.end();
  return taken;
}

/** Each length has its own database: the list of teams reads all teams. */
async function firstOpenings({ home, side, quick, what, goal }) {
  const [short, long] = quick ? [500, 10_000] : [500, 50_000];
  const homes = {
    ours: await seeded({ side, home: join(home, 'long'), short: long, long: long + 1 }),
    limit: await seeded({ side, home: join(home, 'short'), short, long: short + 1 }),
  };
  const rows = [];
  for (const kind of Object.keys(KINDS)) {
    const first = ({ data, teams }) => firstOpening(data, teams[kind].short);
    const sides = { ours: () => first(homes.ours), limit: () => first(homes.limit) };
    const { ours, limit, ratio, middle } = await interleaved(quick ? 3 : 7, sides, (own, bare) => own / bare);
    rows.push({
      what: `${what}, ${long} messages against ${short}, ${KINDS[kind]}`,
      ours: `${spread(ours, 0)} ms`,
      limit: `${spread(limit, 0)} ms`,
      ratio: middle,
      ratios: spread(ratio),
      goal,
      note: `from the address to the frame with the last words, each in an app that was just started; two teams of that length have ended and two are at work; ${load()}.`,
    });
  }
  return rows;
}

export const teamsFirstOpening = onApp({
  name: 'teams-first-opening',
  what: 'the first opening of a chat',
  goal: { atMost: 1.5 },
  measure: firstOpenings,
});

/** Megabytes of the window's process with a team whose members have all delivered. */
async function memoryWith(home, members) {
  const app = await openApp(join(home, 'data'));
  const projectId = await addProject(app, home);
  await startTeam(app, { projectId, members });
  await wait(4_000);
  const kilobytes = await app.ask('memory');
  await app.end();
  return kilobytes / 1024;
}

export const teamsMemory = onApp({
  name: 'teams-memory',
  what: 'memory of the window with 50 members at a chat, against 5',
  goal: { atMost: 1.5 },
  measure: async ({ what, goal, home, quick }) => {
    let opened = 0;
    const memory = (members) => () => {
      opened += 1;
      const folder = join(home, String(opened));
      mkdirSync(folder);
      return memoryWith(folder, members);
    };
    const sides = { ours: memory(50), limit: memory(5) };
    const { ours, limit, ratio, middle } = await interleaved(quick ? 2 : 5, sides, (own, bare) => own / bare);
    return {
      what,
      goal,
      ours: `${spread(ours, 0)} MB`,
      limit: `${spread(limit, 0)} MB`,
      ratio: middle,
      ratios: spread(ratio),
      note: `the working set of the renderer, ${load()}.`,
    };
  },
});

/** The agents' processes below another one. */
async function agentsBelow(pid) {
  const { output } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const all = output.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)?.slice(1) ?? []);
  const below = new Set([String(pid)]);
  for (let before = 0; before < below.size; ) {
    before = below.size;
    for (const [own, parent] of all) if (below.has(parent)) below.add(own);
  }
  return all.filter(
    ([own, , args]) => below.has(own) && /scripted-agent\.js/.test(args) && !/guard/.test(args),
  ).length;
}

export const teamsParked = onApp({
  name: 'teams-parked',
  what: 'processes of 20 members that are parked',
  goal: { atMost: 0 },
  measure: async ({ what, goal, home }) => {
    if (process.platform === 'win32') return { what, goal, missing: 'there is no ps here' };
    const members = 20;
    const app = await openApp(join(home, 'data'));
    const projectId = await addProject(app, home);
    await startTeam(app, { projectId, members, config: { idle_minutes: 0.15 } });
    const before = await agentsBelow(app.pid);
    const sessions = `(async () => { ${CALL} return (await call('system.status', {})).live.sessions; })()`;
    while ((await app.ask('page', { code: sessions })) > 0) await wait(200);
    await wait(500);
    const after = await agentsBelow(app.pid);
    await app.end();
    return {
      what,
      goal,
      ours: `${after} processes`,
      limit: '0',
      ratio: after,
      note: `${before} while they waited for an answer, by the system's own list of processes below the app.`,
    };
  },
});
