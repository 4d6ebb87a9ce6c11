import { fakeProfile, gate, task } from './harness';

const steps = [
  task('a', { re_prompts: ['r1'] }, { on_interrupt: 'retry' }),
  task('b'),
  gate('ok'),
  task('c', { session_mode: 'continue' }, { on_interrupt: 'ask' }),
  task('d', { session_mode: 'continue', re_prompts: ['r2'] }),
];
const cables = [
  { from: 'a.data_out', to: 'ok.data_in' },
  { from: 'b.signal_out', to: 'ok.signal_in' },
  { from: 'ok.revise_out', to: 'a.instruction_in' },
  { from: 'a.data_out', to: 'c.data_in' },
  { from: 'a.data_out', to: 'd.data_in' },
  { from: 'ok.approved_out', to: 'c.context_in' },
];

const agent = (role: string) => ({ role, acp_profile_id: 'fake', re_prompts: ['again'] });
const coded = (coordination: string, agents: readonly object[], id = coordination) => ({
  id,
  type: 'step.coding',
  on_interrupt: 'retry',
  config: { instruction: 'build', coordination, agents },
});

const named = (role: string, name: string) => ({ role, acp_profile_id: name });
const alone = (id: string) => ({ ...fakeProfile, id, max_sessions: 1 });
export const profiles = { fake: fakeProfile, anna: alone('anna'), bert: alone('bert') };

const shell = (id: string, policy: string) => ({
  id,
  type: 'step.command',
  on_interrupt: policy,
  config: { script: id },
});

const loop = (id: string, config: object) => ({
  id,
  type: 'step.loop',
  on_interrupt: 'retry',
  config: { max_iterations: 2, ...config },
});

const each = (id: string, for_each: object) => ({
  id,
  type: 'step.workflow',
  config: {
    body: {
      steps: [task('do', { instruction: 'do $ITEM' }, { on_interrupt: 'retry' }), gate('ok')],
      cables: [
        { from: 'do.data_out', to: 'ok.data_in' },
        { from: 'ok.revise_out', to: 'do.instruction_in' },
      ],
    },
    for_each,
  },
});

/**
 * Chains and gates that lead back, steps with parallel or sequential agents, and commands in terminals, some
 * of which are lost in a restart.
 */
export const graphs = {
  chains: { max_parallel: 2, steps, cables },
  lanes: {
    max_parallel: 2,
    steps: [
      coded('parallel', [agent('a'), agent('b'), agent('c')]),
      coded('review_chain', [agent('builder'), agent('reviewer')]),
      gate('ok'),
    ],
    cables: [
      { from: 'parallel.data_out', to: 'ok.data_in' },
      { from: 'ok.revise_out', to: 'parallel.instruction_in' },
    ],
  },
  commands: {
    max_parallel: 3,
    steps: [shell('x', 'retry'), shell('y', 'ask'), shell('z', 'fail'), gate('ok')],
    cables: [{ from: 'x.data_out', to: 'ok.data_in' }],
  },
  scopes: {
    max_parallel: 2,
    steps: [
      loop('once', {
        prompt: 'go',
        until: 'x',
        interactive: true,
        acp_profile_id: 'fake',
        session: 'shared',
      }),
      loop('again', {
        until_command: 'check',
        body: {
          steps: [task('a'), gate('ok'), loop('deep', { prompt: 'dig', until: 'y', acp_profile_id: 'fake' })],
          cables: [
            { from: 'a.data_out', to: 'ok.data_in' },
            { from: 'ok.revise_out', to: 'a.instruction_in' },
            { from: 'a.data_out', to: 'deep.data_in' },
          ],
        },
      }),
      task('end', {}, { trigger_rule: 'all_done' }),
    ],
    cables: [
      { from: 'once.data_out', to: 'end.data_in' },
      { from: 'again.signal_out', to: 'end.signal_in' },
    ],
  },
  items: {
    max_parallel: 3,
    steps: [
      each('all', { items: ['a', 'b', 'c'], max_parallel: 2 }),
      each('done', { items: [1, 2, 3, 4], max_parallel: 3, join: 'all_done' }),
      task('end', {}, { trigger_rule: 'all_done' }),
    ],
    cables: [{ from: 'done.data_out', to: 'end.data_in' }],
  },
  variants: {
    max_parallel: 2,
    steps: [
      {
        id: 'compare',
        type: 'step.experiment',
        config: {
          target: coded('review_chain', [agent('builder'), agent('reviewer')], 'made'),
          variants: [
            { name: 'a' },
            { name: 'b', instruction_override: 'build less' },
            { name: 'c', config_overrides: { coordination: 'parallel' } },
          ],
          max_parallel: 2,
        },
      },
      gate('ok'),
    ],
    cables: [{ from: 'compare.data_out', to: 'ok.data_in' }],
  },
  crossed: {
    max_parallel: 3,
    steps: [
      coded('review_chain', [named('builder', 'anna'), named('reviewer', 'bert')], 'one'),
      coded('review_chain', [named('builder', 'bert'), named('reviewer', 'anna')], 'two'),
      coded('parallel', [named('builder', 'anna'), named('other', 'bert')], 'three'),
    ],
    cables: [],
  },
};
