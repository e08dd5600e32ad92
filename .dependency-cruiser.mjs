// The import rules of docs/architecture.md.
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$|/test/' },
  to: { path: '^(apps|packages)/', pathNot: allowed },
})

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    only('contract-is-a-leaf', '^packages/contract/', '^packages/contract/', 'the contract imports nothing of ours'),
    only('engine-is-pure', '^packages/engine/', '^packages/(engine|contract)/', 'the engine knows the contract alone'),
    only(
      'connector-is-shared',
      '^packages/connector/',
      '^packages/(connector|contract)/',
      'every connector uses it, so it knows none of them',
    ),
    only(
      'whatsapp-is-alone',
      '^packages/whatsapp/',
      '^packages/(whatsapp|connector|contract)/',
      'a licence of its own: it may use only our MIT packages',
    ),
    only(
      'ports-are-types',
      '^apps/server/src/ports/',
      '^packages/(contract|connector)/|^apps/server/src/ports/',
      'ports depend on nothing of the server',
    ),
    only(
      'db-knows-no-business',
      '^apps/server/src/db/',
      '^packages/contract/|^apps/server/src/((db|ports)/|security/(vault|app-secret)|env\\.ts$)',
      'the database layer serves every module',
    ),
    only(
      'realtime-knows-no-business',
      '^apps/server/src/realtime/',
      '^packages/contract/|^apps/server/src/(realtime|ports|http|errors)',
      'sockets carry, they do not decide',
    ),
    only(
      'adapters-serve-ports',
      '^apps/server/src/adapters/',
      '^packages/(contract|connector|whatsapp)/|^apps/server/src/(ports|adapters)/',
      'an adapter knows its port and its vendor',
    ),
    {
      name: 'adapters-are-private',
      comment: 'only the composition and tests choose adapters',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: '^apps/server/src/(composition\\.ts|bench\\.ts|main\\.ts|adapters/)',
      },
      to: { path: '^apps/server/src/adapters/' },
    },
    {
      name: 'modules-speak-through-index',
      comment: 'another module is reached by its index.ts',
      severity: 'error',
      from: { path: '^apps/server/src/modules/([^/]+)/' },
      to: { path: '^apps/server/src/modules/', pathNot: '^apps/server/src/modules/($1/|[^/]+/index\\.ts$)' },
    },
    {
      name: 'bot-speaks-through-index',
      severity: 'error',
      from: { path: '^apps/server/src/bot/' },
      to: { path: '^apps/server/src/modules/', pathNot: '^apps/server/src/modules/[^/]+/index\\.ts$' },
    },
    only(
      'web-is-a-client',
      '^apps/web/',
      '^apps/web/|^packages/(contract|engine)/',
      'the panel never imports the server',
    ),
    {
      name: 'features-do-not-meet',
      comment: 'what two features need belongs in shared',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    },
    {
      name: 'shared-is-below',
      severity: 'error',
      from: { path: '^apps/web/src/shared/' },
      to: { path: '^apps/web/src/(features|app|landing)/' },
    },
    {
      name: 'env-is-read-once',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: '^apps/server/src/(main|db/backup/cli)\\.ts$' },
      to: { path: '^apps/server/src/env\\.ts$', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'dist/|/node_modules/' },
    moduleSystems: ['es6'],
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
}
