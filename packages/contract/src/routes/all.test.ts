import { describe, expect, it } from 'vitest'
import { toJsonSchema, openApiDocument, successStatus } from '#openapi.ts'
import type { RouteShape } from '#define-route.ts'
import { apiRoutes, apiRouteList } from './all.ts'

const lines: [string, RouteShape][] = Object.entries(apiRoutes)

/** FNV-1a, 32 bits: enough to notice a changed schema. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}

function fio(row: RouteShape): string {
  const parts = [row.params, row.query, row.body].map((s) => (s === undefined ? null : toJsonSchema(s, 'input')))
  return JSON.stringify([
    ...parts,
    row.bodyType ?? null,
    row.response === undefined ? null : toJsonSchema(row.response, 'output'),
    ...(row.accepted === undefined ? [] : [toJsonSchema(row.accepted, 'output')]),
    ...(row.otherResponse === undefined ? [] : [toJsonSchema(row.otherResponse.response, 'output')]),
  ])
}

describe('the rows', () => {
  it('has unique pairs of method and path', () => {
    const chaves = apiRouteList.map((row) => `${row.method} ${row.path.replace(/:\w+/g, ':')}`)
    expect(new Set(chaves).size).toBe(chaves.length)
  })

  it.each(lines)('%s returns 204 exactly when it has no response schema', (_nome, row) => {
    expect(successStatus(row) === 204).toBe(row.response === undefined)
    expect(row.path.startsWith('/') && !row.path.startsWith('/api')).toBe(true)
    expect(row.fallbackError).not.toBe('')
  })

  it.each(lines)('%s has a schema for every path parameter', (_nome, row) => {
    const names = [...row.path.matchAll(/:(\w+)/g)].map((found) => found[1])
    const schema = row.params === undefined ? { properties: {} } : toJsonSchema(row.params, 'input')
    expect(Object.keys(Object(schema.properties))).toEqual(names)
  })

  it('keep the wire: a changed hash is a changed contract', () => {
    const hashes = lines.map(
      ([nome, row]) => `${row.method} ${row.path} ${nome} ${successStatus(row)} ${hash(fio(row))}`,
    )
    expect(hashes.toSorted().join('\n')).toMatchSnapshot()
  })
})

describe('openApiDocument', () => {
  const document = openApiDocument(apiRoutes)

  it('contains every route and writes path parameters as {nome}', () => {
    const paths = Object(document.paths)
    const operacoes = Object.values(paths).flatMap((item) => Object.keys(Object(item)))
    expect(operacoes).toHaveLength(apiRouteList.length)
    expect(paths['/atendimento/conversas/{id}/transferir'].post).toMatchObject({
      operationId: 'transferirConversa',
      summary: 'Transferir conversa',
      parameters: [{ name: 'id', in: 'path', required: true }],
      responses: { 200: {}, default: {} },
    })
    expect(paths['/auth/login'].post.security).toEqual([])
  })

  it('returns plain JSON of version 3.1 without content for routes without a body', () => {
    const parsed = JSON.parse(JSON.stringify(document))
    expect(parsed).toEqual(document)
    expect(parsed.openapi).toBe('3.1.0')
    expect(parsed.paths['/auth/logout'].post.responses['204']).toEqual({ description: 'Sucesso' })
  })
})
