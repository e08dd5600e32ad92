import type { RouteShape } from '@balcao/contract/define-route'
import type { Plugin, Rolldown } from 'vite'

/**
 * Removes the schemas from the route rows of the contract. The server checks requests and answers, so the panel needs
 * only method, path, permission and the default error. With the schemas each first load has 16 KB more.
 */

const ROUTES_FILE = /contract[\\/]src[\\/]routes[\\/][\w-]+\.ts$/
const SCHEMAS: ReadonlySet<string> = new Set<keyof RouteShape>([
  'params',
  'query',
  'body',
  'response',
  'otherResponse',
  'accepted',
])

type Program = ReturnType<Rolldown.PluginContext['parse']>

interface Span {
  readonly start: number
  readonly end: number
}

/** The parts of a row's text to remove: its schemas and the call of `defineRoute`. */
function removedFrom(program: Program): Span[] {
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') return []
    return statement.declaration.declarations.flatMap(({ init }) => {
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return []
      const [row] = init.arguments
      if (init.callee.name !== 'defineRoute' || row?.type !== 'ObjectExpression') return []
      const schemas = row.properties.flatMap((property, index) => {
        const isSchema =
          property.type === 'Property' && property.key.type === 'Identifier' && SCHEMAS.has(property.key.name)
        return isSchema ? [{ start: property.start, end: row.properties[index + 1]?.start ?? property.end }] : []
      })
      return [{ start: init.start, end: row.start }, ...schemas, { start: row.end, end: init.end }]
    })
  })
}

export function bareRoutes(): Plugin {
  return {
    name: 'balcao:bare-routes',
    transform(code, id) {
      if (!ROUTES_FILE.test(id)) return null
      const removed = removedFrom(this.parse(code)).toReversed()
      return { code: removed.reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), code), map: null }
    },
  }
}
