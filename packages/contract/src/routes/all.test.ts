import { describe, expect, it } from 'vitest'
import { toJsonSchema, openApiDocument, successStatus } from '#openapi.ts'
import type { RouteShape } from '#define-route.ts'
import { apiRoutes, apiRouteList } from './all.ts'

const linhas: [string, RouteShape][] = Object.entries(apiRoutes)

/** FNV-1a, 32 bits: enough to notice a changed schema. */
function hash(texto: string): string {
  let valor = 0x811c9dc5
  for (const letra of texto) valor = Math.imul(valor ^ (letra.codePointAt(0) ?? 0), 0x01000193)
  return (valor >>> 0).toString(16).padStart(8, '0')
}

function fio(row: RouteShape): string {
  const partes = [row.params, row.query, row.body].map((s) => (s === undefined ? null : toJsonSchema(s, 'input')))
  return JSON.stringify([
    ...partes,
    row.bodyType ?? null,
    row.response === undefined ? null : toJsonSchema(row.response, 'output'),
  ])
}

describe('the rows', () => {
  it('has unique pairs of method and path', () => {
    const chaves = apiRouteList.map((row) => `${row.method} ${row.path.replace(/:\w+/g, ':')}`)
    expect(new Set(chaves).size).toBe(chaves.length)
  })

  it.each(linhas)('%s returns 204 exactly when it has no response schema', (_nome, row) => {
    expect(successStatus(row) === 204).toBe(row.response === undefined)
    expect(row.path.startsWith('/') && !row.path.startsWith('/api')).toBe(true)
    expect(row.fallbackError).not.toBe('')
  })

  it.each(linhas)('%s has a schema for every path parameter', (_nome, row) => {
    const nomes = [...row.path.matchAll(/:(\w+)/g)].map((achado) => achado[1])
    const esquema = row.params === undefined ? { properties: {} } : toJsonSchema(row.params, 'input')
    expect(Object.keys(Object(esquema.properties))).toEqual(nomes)
  })

  it('keep the wire: a changed hash is a changed contract', () => {
    const hashes = linhas.map(
      ([nome, row]) => `${row.method} ${row.path} ${nome} ${successStatus(row)} ${hash(fio(row))}`,
    )
    expect(hashes.toSorted().join('\n')).toMatchSnapshot()
  })
})

describe('openApiDocument', () => {
  const documento = openApiDocument(apiRoutes)

  it('contains every route and writes path parameters as {nome}', () => {
    const paths = Object(documento.paths)
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
    const lido = JSON.parse(JSON.stringify(documento))
    expect(lido).toEqual(documento)
    expect(lido.openapi).toBe('3.1.0')
    expect(lido.paths['/auth/logout'].post.responses['204']).toEqual({ description: 'Sucesso' })
  })
})
