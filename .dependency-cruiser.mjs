// The import rules of docs/architecture.md.
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$|/test/' },
  to: { path: '^(apps|packages)/', pathNot: allowed },
})

/** Folders of the server. Every one may import the error class and the types of the dependencies. */
const server = (folders) => `^apps/server/src/((${folders})/|(errors|deps)\\.ts$)`
const packages = (names) => `^packages/(${names})/|`

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
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
    only('lib-is-generic', '^apps/server/src/lib/', server('lib'), 'small parts without business words'),
    only(
      'ports-are-types',
      '^apps/server/src/ports/',
      packages('contract|engine|connector') + server('ports'),
      'ports depend on nothing of the server',
    ),
    only(
      'db-knows-no-business',
      '^apps/server/src/db/',
      packages('contract') + server('db|lib|ports|security'),
      'the database layer serves every module',
    ),
    only(
      'security-knows-no-business',
      '^apps/server/src/security/',
      packages('contract') + server('security|db|lib|ports'),
      'passwords, tokens and seals serve every module',
    ),
    only(
      'http-knows-no-business',
      '^apps/server/src/http/',
      packages('contract') + server('http|db|lib|ports|security'),
      'a route is bound to a use case by its module',
    ),
    only(
      'realtime-knows-no-business',
      '^apps/server/src/realtime/',
      packages('contract') + server('realtime|http|lib|ports'),
      'sockets carry, they do not decide',
    ),
    only(
      'modules-never-import-bot',
      '^apps/server/src/modules/',
      packages('contract|engine|connector') +
        server('modules|db|http|lib|ports|realtime|security') +
        '|^apps/server/src/ids\\.ts$',
      'the bot calls the modules; a module reaches it through ports/bots and applyEventIn',
    ),
    only(
      'bot-knows-no-http',
      '^apps/server/src/bot/',
      packages('contract|engine|connector') + server('bot|modules|db|lib|ports|realtime'),
      'the bot answers customers; routes belong to the modules',
    ),
    {
      name: 'bot-is-private',
      comment: 'only the composition builds the bot',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: '^apps/server/src/(composition(\\.ts$|/)|bench\\.ts$|bot/)' },
      to: { path: '^apps/server/src/bot/' },
    },
    only(
      'adapters-serve-ports',
      '^apps/server/src/adapters/',
      packages('contract|connector') + server('ports|lib|adapters'),
      'an adapter knows its port and its vendor',
    ),
    {
      name: 'adapters-do-not-meet',
      comment: 'only the guarded outgoing requests are shared',
      severity: 'error',
      from: { path: '^apps/server/src/adapters/([^/]+)/' },
      to: { path: '^apps/server/src/adapters/', pathNot: '^apps/server/src/adapters/($1|outbound)/' },
    },
    {
      name: 'adapters-are-private',
      comment: 'only the composition and tests choose adapters',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: '^apps/server/src/((composition|cli)(\\.ts$|/)|bench\\.ts$|adapters/)',
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
    {
      name: 'bot-turn-is-above',
      comment: 'order inside bot: turn, session, outbox',
      severity: 'error',
      from: { path: '^apps/server/src/bot/(session|outbox)/' },
      to: { path: '^apps/server/src/bot/(turn|ai)/' },
    },
    {
      name: 'bot-ai-uses-little-of-a-turn',
      severity: 'error',
      from: { path: '^apps/server/src/bot/ai/' },
      to: { path: '^apps/server/src/bot/turn/', pathNot: '^apps/server/src/bot/turn/(types|context)\\.ts$' },
    },
    {
      name: 'bot-outbox-is-below',
      severity: 'error',
      from: { path: '^apps/server/src/bot/(outbox|ai)/' },
      to: { path: '^apps/server/src/bot/session/' },
    },
    {
      name: 'bot-runtime-is-on-top',
      severity: 'error',
      from: { path: '^apps/server/src/bot/' },
      to: { path: '^apps/server/src/bot/runtime\\.ts$' },
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
      from: { path: '^apps/server/src/', pathNot: '^apps/server/src/(main|cli)\\.ts$' },
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
