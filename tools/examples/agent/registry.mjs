/** The target folder, and the lines that register it, each with the text after which it is inserted. */
export const folder = 'src/main/agents/echo';
export const test = 'src/main/agents/echo/echo.test.ts';
export const registry = {
  'src/areas/agents/contract/profile.ts': [
    [
      "z.discriminatedUnion('kind', [\n",
      "    z.strictObject({ kind: z.literal('echo'), ...common(), before: z.string().default('') }),\n",
    ],
  ],
  'src/areas/agents/contract/agent-kinds.ts': [
    ['export const agentKinds = {\n', "  echo: { ...server, profile: 'echo', worksByName: true },\n"],
  ],
  'src/main/agents/registry.test.ts': [
    [
      'const profiles: Readonly<Record<AgentKind, AgentProfile>> = {\n',
      "  echo: agentProfileSchema.parse({ ...common, kind: 'echo' }),\n",
    ],
  ],
  'src/areas/agents/view/agent-row.tsx': [['kindIcons: Record<Kind, Icon> = {\n', '  echo: Bot,\n']],
  'src/areas/agents/view/fields.ts': [
    [
      'fieldsOf: Record<Kind, readonly FieldSpec[]> = {\n',
      "  echo: [...names, field('before', 'Said first'), ...common],\n",
    ],
    ['kindWords: Record<Kind, string> = {\n', "  echo: 'Echo',\n"],
  ],
  'src/areas/agents/view/form.ts': [['STARTS: Record<Kind, Record<string, unknown>> = {\n', '  echo: {},\n']],
  'src/main/agents/registry.ts': [
    ['const registry: Registry = {\n', "  echo: async () => (await import('./echo')).createEchoAgent(),\n"],
  ],
};
