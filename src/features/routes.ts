import type { Route } from '@main/api/http/route';
import { loopRoutes } from './loop/node/routes';
import { rlmRoutes } from './rlm/node/routes';
import { teamRoutes } from './team/node/routes';

/** The registry of features for the HTTP API. */
export const featureRoutes: readonly Route[] = [...loopRoutes, ...rlmRoutes, ...teamRoutes];
