const stories = [
  ['US-001', 'List the free berths'],
  ['US-002', 'Show the tide beside each berth'],
  ['US-003', 'Send the bill by mail'],
];

/** The plan of the loop. */
export const prd = `${JSON.stringify(
  {
    branchName: 'ralph/berths',
    userStories: stories.map(([id, title], index) => ({ id, title, priority: index + 1, passes: false })),
  },
  null,
  2,
)}\n`;

/** The worker of the loop: it completes the first story, and asks at the second. */
export const storyWorker = `match:
  - when: '^Your story: US-001'
    reply:
      do:
        - write: { path: src/berths.ts, content: "export const free = () => [];\\n" }
        - edit: { path: prd.json, find: "\\"priority\\": 1,\\n      \\"passes\\": false", replace: "\\"priority\\": 1,\\n      \\"passes\\": true" }
        - run: { command: 'git add -A && git -c user.name=W -c user.email=w@muster.invalid commit -qm "feat: US-001"' }
      text: "Wrote the list of free berths.\\nResult: completed"
      usage: { input_tokens: 2900, output_tokens: 310, cost_usd: 0.034 }
  - when: '^Your story: US-002'
    reply:
      text: "Which tide table is meant, the one of the port or the one of the navy?\\nResult: blocked"
      usage: { input_tokens: 1900, output_tokens: 90, cost_usd: 0.015 }
`;
