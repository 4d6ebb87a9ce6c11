import type { FeaturePorts } from '@features/contract';

const never = () => {
  throw new Error('a dry run uses no ports of features');
};

export const noPorts: FeaturePorts = {
  loops: {
    open: never,
    prepare: never,
    examine: never,
    look: never,
    begun: never,
    logs: never,
    follow: never,
  },
};
