/**
 * Which code may import which, as rules for dependency-cruiser. All are errors, and each is proven by
 * boundaries.selftest.mjs. `import type` counts, because a type couples two folders as a value does.
 */
import { packages } from './packages.mjs';

/** Tests and their helpers may import more; production code must not import them (not-to-tests). */
const TESTS = '(\\.test\\.tsx?$|/testing/)';
const ZOD = '(^|/)node_modules/zod/';
const RE2JS = '(^|/)node_modules/re2js/';
/** The parser of shell scripts: pure, and only in its folder (packages.mjs). */
const UNBASH = '(^|/)node_modules/unbash/';
/** What every process knows: the platform's contract, and the contract room of each area. */
const CONTRACT = '^src/(contract|areas/[^/]+/contract)/';
/** What decides, in any process: no Node, no DOM, no clock. */
const CORE = '^src/(main/core|areas/[^/]+/core)/';
/** Use cases: those of areas, and what they share. */
const SERVICES = '^src/(main/services/|areas/[^/]+/node/(?!commands/|routes))';
const API = '^src/(main/api/|areas/[^/]+/node/routes)';
/** The pages of areas, and what they draw for each other. */
const VIEWS = '^src/areas/[^/]+/view/';
const AREA_COMMANDS = '^src/areas/[^/]+/node/commands/';
const AREA_PARTS = '^src/areas/[^/]+/view/parts/';
const GUARDED_FILES = '^src/main/guarded-files/';
/** The table of a process's times and limits. */
const LIMITS = (name) => `^src/main/limits/${name}\\.ts$`;
const CORE_LIMITS = LIMITS('core(-sizes)?');
const HOST_PARTS =
  '^src/(main/(core/ports|adapters/(process|system))/|areas/hosts/(core/|node/frames\\.ts$))';
const WINDOW_LIMITS = '^src/renderer/limits\\.ts$';

/** The registries: the only files that name features to the platform. */
const CONTRACT_REGISTRIES = '^src/features/(contract|procedures)\\.ts$';
const CORE_REGISTRY = '^src/features/core\\.ts$';
const VIEW_REGISTRY = '^src/features/(view|marks)\\.ts$';
/**
 * The part of the registry that contains only data, for parts of the window that features' views also draw.
 */
const MARKS_REGISTRY = '^src/features/marks\\.ts$';
const SERVICES_REGISTRY = '^src/features/node\\.ts$';
const ROUTES_REGISTRY = '^src/features/routes\\.ts$';
const COMMAND_REGISTRIES = '^src/features/(commands|event-lines)\\.ts$';
/** The folders of features. Who may import them is defined only by `platform-knows-no-feature`. */
const ROOMS = '^src/features/[^/]+/';

/** Node modules with effects. An agent adapter gets these effects through a port. */
const EFFECTS = '^(node:)?(child_process|cluster|dgram|fs|http|http2|https|net|tls|worker_threads)(/|$)';

const ENTRIES =
  '^src/main/(index|core-host/index|remote-host/index|pty-host/index|sandbox-host/index|cli/index|agents/scripted/process/index)\\.ts$';

const forbid = (name, comment, { from, notFrom = [], ...to }) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: [TESTS, ...notFrom] },
  to,
});

/** `from` may import only the listed files, npm packages and Node modules. */
const only = (name, comment, { from, allowed }) =>
  forbid(name, comment, { from, pathNot: [from, ROOMS, ...allowed], couldNotResolve: false });

/** Of our own files, `from` may import only the listed ones. */
const onlyOfOurs = (name, comment, { from, allowed }) =>
  forbid(name, comment, { from, path: '^src/', pathNot: [from, ROOMS, ...allowed] });

/** As `onlyOfOurs`, for each feature by itself: `$1` in `allowed` is the feature's name. */
const onlyOfOursInFeature = (name, comment, { from, allowed }) =>
  forbid(name, comment, { from, path: '^src/', pathNot: allowed });

const pure = [
  only('contract-is-pure', 'The contract runs in every process: it imports zod only.', {
    from: CONTRACT,
    allowed: [ZOD, CONTRACT_REGISTRIES, '^src/areas/[^/]+/contract/'],
  }),
  only('core-is-pure', 'No electron, Node, database, clock or randomness: they are ports.', {
    from: CORE,
    allowed: [CONTRACT, CONTRACT_REGISTRIES, CORE_REGISTRY, CORE_LIMITS, ZOD, RE2JS, UNBASH],
  }),
];

/** As `only`, for each feature by itself: `$1` in `allowed` is the feature's name. */
const onlyInFeature = (name, comment, { from, allowed }) =>
  forbid(name, comment, { from, pathNot: allowed, couldNotResolve: false });

/**
 * What the engine offers to features besides `core/step`: the hooks, and the parts that their effects need.
 */
const ENGINE_FOR_FEATURES =
  '^src/main/core/engine/(feature-module|base/(live-run|effect-parts)|activation/view|folders/workspace|effects/workspace-effects)\\.ts$';

const features = [
  onlyInFeature('feature-contract-is-pure', 'A contract room runs in every process: it imports zod only.', {
    from: '^src/features/([^/]+)/contract/',
    allowed: ['^src/features/$1/contract/', CONTRACT, ZOD],
  }),
  onlyInFeature('feature-core-is-pure', 'A core room acts through ports and knows no other feature.', {
    from: '^src/features/([^/]+)/core/',
    allowed: [
      '^src/features/$1/(core|contract)/',
      '^src/(main/core/(step|ports)|areas/prompts/core)/',
      ENGINE_FOR_FEATURES,
      CONTRACT,
      ZOD,
    ],
  }),
  forbid('feature-view-is-of-the-window', 'A view room knows its contract and what the window shares.', {
    from: '^src/features/([^/]+)/view/',
    path: '^src/',
    pathNot: ['^src/features/$1/(view|contract)/', '^src/renderer/(client|ui|parts)/', AREA_PARTS, CONTRACT],
  }),
  forbid('feature-view-is-of-the-window', 'There is no Node in the window.', {
    from: '^src/features/[^/]+/view/',
    dependencyTypes: ['core'],
  }),
  onlyOfOursInFeature(
    'feature-node-serves',
    'The services and routes of a feature know what those of the platform know.',
    {
      from: '^src/features/([^/]+)/node/(?!commands/|git/)',
      allowed: [
        '^src/features/$1/(core|contract)/',
        '^src/features/$1/node/(?!commands/)',
        '^src/main/(sdk|guarded-files)/',
        CORE,
        SERVICES,
        API,
        CONTRACT,
        CONTRACT_REGISTRIES,
      ],
    },
  ),
  onlyOfOursInFeature('feature-node-serves', 'The commands of a feature talk to a core, wherever it runs.', {
    from: '^src/features/([^/]+)/node/commands/',
    allowed: [
      '^src/features/$1/(core|contract)/',
      '^src/features/$1/node/(commands/|address\\.ts$)',
      '^src/main/(cli|api|core/ports)/',
      AREA_COMMANDS,
      '^src/areas/projects/node/project-folder\\.ts$',
      '^src/main/adapters/(system|sandbox)/',
      CONTRACT,
    ],
  }),
  onlyOfOursInFeature('feature-node-serves', 'What a feature does with git stands on the adapter of git.', {
    from: '^src/features/([^/]+)/node/git/',
    allowed: [
      '^src/features/$1/(contract|node/git)/',
      '^src/main/(core/ports|adapters/git|guarded-files)/',
      CONTRACT,
    ],
  }),
  forbid('registries-only-register', 'A registry names the rooms that its process may know.', {
    from: `${SERVICES_REGISTRY}|${ROUTES_REGISTRY}|${COMMAND_REGISTRIES}`,
    path: '^src/',
    pathNot: [
      '^src/features/[^/]+/(contract|core|node)/',
      '^src/main/(sdk|api/http|cli)/',
      CONTRACT,
      CONTRACT_REGISTRIES,
    ],
  }),
  forbid('registries-only-register', 'A registry names the rooms that its process may know.', {
    from: CONTRACT_REGISTRIES,
    path: '^src/',
    pathNot: ['^src/features/[^/]+/contract/', CONTRACT],
  }),
  forbid('registries-only-register', 'A registry names the rooms that its process may know.', {
    from: CORE_REGISTRY,
    path: '^src/',
    pathNot: ['^src/features/[^/]+/(contract|core)/', '^src/main/core/', CONTRACT],
  }),
  forbid('registries-only-register', 'A registry names the rooms that its process may know.', {
    from: VIEW_REGISTRY,
    path: '^src/',
    pathNot: [
      '^src/features/[^/]+/(contract|view)/',
      '^src/renderer/(client|ui|parts)/',
      AREA_PARTS,
      CONTRACT,
    ],
  }),
  forbid('platform-knows-no-feature', 'Features stand on the platform; only the registries name them.', {
    from: '^src/(contract|areas|main|preload|renderer)/',
    path: ROOMS,
  }),
];

const edge = [
  onlyOfOurs('agents-use-ports', 'An agent adapter knows the contract, the ports and its protocol.', {
    from: '^src/main/agents/',
    allowed: ['^src/main/core/ports/', CORE_LIMITS, CONTRACT],
  }),
  forbid('agents-have-no-effects', 'Files, processes and sockets come injected.', {
    from: '^src/main/agents/[^/]+/',
    // The scripted agent is a separate program.
    notFrom: ['^src/main/agents/scripted/process/'],
    path: EFFECTS,
  }),
  onlyOfOurs('adapters-use-ports', 'An adapter knows the contract and the ports that it implements.', {
    from: '^src/main/adapters/',
    allowed: [
      '^src/main/core/ports/',
      GUARDED_FILES,
      CORE_LIMITS,
      LIMITS('terminal-host'),
      CONTRACT,
      CONTRACT_REGISTRIES,
    ],
  }),
  forbid('no-sibling-imports', 'Agents and adapters are added and removed one by one.', {
    from: '^src/main/(agents|adapters)/([^/]+)/',
    path: '^src/main/$1/[^/]+/',
    pathNot: '^src/main/$1/$2/',
  }),
  forbid('no-sibling-imports', 'Views are added and removed one by one.', {
    from: '^src/areas/([^/]+)/view/',
    path: '^src/areas/[^/]+/view/',
    pathNot: ['^src/areas/$1/view/', AREA_PARTS],
  }),
];

const application = [
  onlyOfOurs('services-not-to-adapters', 'Use cases know the core; adapters and registries are arguments.', {
    from: SERVICES,
    allowed: [CORE, GUARDED_FILES, CORE_LIMITS, CONTRACT, CONTRACT_REGISTRIES],
  }),
  onlyOfOurs('sdk-is-what-features-use', 'What services of features are made of, and how they are joined.', {
    from: '^src/main/sdk/',
    allowed: ['^src/main/adapters/git/', CORE, SERVICES, CONTRACT, CONTRACT_REGISTRIES],
  }),
  onlyOfOurs('guarded-files-are-a-leaf', 'What reads files of projects knows nothing of who asks.', {
    from: GUARDED_FILES,
    allowed: [CORE_LIMITS],
  }),
  onlyOfOurs('services-not-to-adapters', 'The API serves the services.', {
    from: API,
    allowed: [SERVICES, CORE, CORE_LIMITS, CONTRACT, ROUTES_REGISTRY],
  }),
  onlyOfOurs(
    'tables-hold-numbers',
    'A table of times and limits is a leaf that every room of its process reads.',
    {
      from: '^src/(main/limits/|renderer/limits\\.ts$)',
      allowed: [CONTRACT],
    },
  ),
  onlyOfOurs('commands-talk-to-a-core', 'The commands of an area talk to a core, wherever it runs.', {
    from: AREA_COMMANDS,
    allowed: ['^src/main/(cli|api|limits|adapters/(system|yaml))/', CORE, SERVICES, CORE_REGISTRY, CONTRACT],
  }),
  onlyOfOurs('ipc-holds-no-logic', 'ipc checks the sender and relays.', {
    from: '^src/main/ipc/',
    allowed: [SERVICES, CONTRACT],
  }),
  forbid('ipc-holds-no-logic', 'ipc knows services by their types.', {
    from: '^src/main/ipc/',
    path: SERVICES,
    dependencyTypesNot: ['type-only'],
  }),
  onlyOfOurs('windows-hold-no-logic', 'Windows and their security settings know nothing of the product.', {
    from: '^src/main/windows/',
    allowed: [LIMITS('main'), CONTRACT],
  }),
  onlyOfOurs('sandbox-knows-only-its-wire', 'What hosts model-written code holds nothing else of Muster.', {
    from: '^src/main/sandbox/',
    allowed: [LIMITS('sandbox'), CONTRACT],
  }),
  onlyOfOurs('sandbox-knows-only-its-wire', 'Its process holds nothing but the host.', {
    from: '^src/main/sandbox-host/',
    allowed: ['^src/main/sandbox/', LIMITS('sandbox'), CONTRACT],
  }),
  onlyOfOurs('remote-host-is-one-program', 'It runs alone on another machine, in one file.', {
    from: '^src/main/remote-host/',
    allowed: [HOST_PARTS, CORE_LIMITS, CONTRACT],
  }),
  only('sandbox-page-is-alone', 'Beside the code of a model runs only the page that carries its messages.', {
    from: '^src/sandbox-page/',
    allowed: [CONTRACT, '(^|/)node_modules/pyodide/'],
  }),
  forbid('entries-are-last', 'Nothing imports the entry of a process.', { from: '^src/', path: ENTRIES }),
  forbid('entries-are-last', 'Only the entries of the core process and of the command line compose.', {
    from: '^src/',
    notFrom: ['^src/main/(core-host|cli)/', AREA_COMMANDS],
    path: '^src/main/core-host/compose',
  }),
];

const window = [
  only('preload-is-thin', 'The preload forwards: electron, and the contract for types and channel names.', {
    from: '^src/preload/',
    allowed: [CONTRACT, '(^|/)node_modules/electron/'],
  }),
  onlyOfOurs('renderer-contract-only', 'The window runs in a browser: of the rest it knows the contract.', {
    from: '^src/renderer/',
    allowed: [VIEWS, CONTRACT, CONTRACT_REGISTRIES, VIEW_REGISTRY],
  }),
  forbid('renderer-contract-only', 'There is no Node in the window.', {
    from: `^src/renderer/|${VIEWS}`,
    dependencyTypes: ['core'],
  }),
  onlyOfOurs('renderer-layers', 'ui draws what it is given.', {
    from: '^src/renderer/ui/',
    allowed: [WINDOW_LIMITS],
  }),
  onlyOfOurs('renderer-layers', 'client knows nothing that is drawn.', {
    from: '^src/renderer/client/',
    allowed: [WINDOW_LIMITS, CONTRACT],
  }),
  onlyOfOurs('renderer-layers', 'parts are what several views draw, of no area.', {
    from: '^src/renderer/parts/',
    allowed: ['^src/renderer/(client|ui)/', WINDOW_LIMITS, MARKS_REGISTRY, CONTRACT],
  }),
  onlyOfOurs('renderer-layers', 'What an area draws for others does not know who draws it.', {
    from: AREA_PARTS,
    allowed: ['^src/renderer/(client|ui|parts)/', WINDOW_LIMITS, MARKS_REGISTRY, CONTRACT],
  }),
  onlyOfOurs('renderer-layers', 'The editor is given its text, its problems and what it offers.', {
    from: '^src/areas/workflows/view/parts/yaml-editor/',
    allowed: [WINDOW_LIMITS, CONTRACT],
  }),
  onlyOfOurs('renderer-layers', 'Charts draw the numbers they are given.', {
    from: '^src/renderer/charts/',
    allowed: [WINDOW_LIMITS],
  }),
  onlyOfOurs('renderer-layers', 'A view does not know the frame that it stands in.', {
    from: VIEWS,
    allowed: ['^src/renderer/(client|ui|parts|charts)/', VIEW_REGISTRY, WINDOW_LIMITS, CONTRACT],
  }),
];

const folder = (name) => `(^|/)node_modules/(@types/)?${name.replace('.', '\\.')}/`;

const atTheirPlace = Object.entries(packages).map(([name, { native, in: folders }]) =>
  forbid(native ? 'native-at-edge' : 'package-at-its-place', `${name} belongs to ${folders.join(', ')}.`, {
    from: '^src/',
    notFrom: folders.map((path) => `^${path}`),
    path: folder(name),
  }),
);

const onDemand = (name, comment, path) =>
  forbid(name, comment, {
    // `sandbox-page-is-alone` already holds that page to less.
    ...{ from: '^src/', notFrom: [path, '^src/sandbox-page/'] },
    ...{ path, dependencyTypesNot: ['dynamic-import', 'type-only'] },
  });

const everywhere = [
  forbid('package-not-listed', 'A package is added to tools/check/packages.mjs, for who may use it.', {
    from: '^src/',
    path: '(^|/)node_modules/',
    pathNot: Object.keys(packages).map(folder),
  }),
  forbid('not-to-tests', 'Production code does not use what was made for tests.', {
    from: '^src/',
    path: TESTS,
  }),
  {
    name: 'resolvable',
    comment: 'What is not found is not checked.',
    severity: 'error',
    from: { path: '^src/' },
    to: { couldNotResolve: true },
  },
  onDemand(
    'sandbox-on-demand',
    'A start reads nothing of the sandbox: what hosts it is imported when a question needs it.',
    '^src/main/(adapters/sandbox|sandbox|sandbox-host)/',
  ),
  onDemand('server-on-demand', 'Without a server nothing of PostgreSQL is read.', '^src/areas/server/node/'),
  { name: 'no-cycle', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
  {
    name: 'no-orphan',
    comment: 'A module that nothing imports and that imports nothing is left over.',
    severity: 'error',
    from: {
      path: '^src/',
      orphan: true,
      pathNot: [TESTS, ENTRIES, '\\.d\\.ts$', '^src/preload/(index|sandbox)\\.ts$'],
    },
    to: {},
  },
];

export default {
  forbidden: [...pure, ...features, ...edge, ...application, ...window, ...atTheirPlace, ...everywhere],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: ['\\.(css|svg|png|md|html)$', '\\?raw$'] },
    tsPreCompilationDeps: true,
    webpackConfig: { fileName: 'tools/check/alias.cjs' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
};
