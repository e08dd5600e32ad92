import * as z from 'zod/mini'
import { VERSAO_PRODUTO } from '#constants.ts'
import type { RouteShape } from '#define-route.ts'
import { respostaErroSchema } from './errors.ts'

/** OpenAPI 3.1 document of the contract, served at `/api/docs`. */

type Json = Record<string, unknown>

/** Converts a schema to JSON Schema 2020-12: `input` is the accepted form, `output` the returned one. */
export function jsonSchemaDe(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const {
    $schema: _dialeto,
    '~standard': _padrao,
    ...resto
  }: Json = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return resto
}

function parametros(schema: z.ZodMiniType | undefined, lugar: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const lido = z.object({ properties: z.record(z.string(), z.unknown()) }).safeParse(jsonSchemaDe(schema, 'input'))
  if (!lido.success) return []
  const obrigatorios = z.object({ required: z.array(z.string()) }).safeParse(jsonSchemaDe(schema, 'input'))
  const exigidos = obrigatorios.success ? obrigatorios.data.required : []
  return Object.entries(lido.data.properties).map(([name, esquema]) => ({
    name,
    in: lugar,
    required: lugar === 'path' || exigidos.includes(name),
    schema: esquema,
  }))
}

/** `transferirConversa` → `Transferir conversa`. */
function titulo(nome: string): string {
  const palavras = nome.replace(/[A-Z]/g, (letra) => ` ${letra.toLowerCase()}`)
  return palavras.charAt(0).toUpperCase() + palavras.slice(1)
}

function corpo(row: RouteShape): Json {
  const json = row.body === undefined ? {} : { 'application/json': { schema: jsonSchemaDe(row.body, 'input') } }
  const form = row.corpo === undefined ? {} : { 'multipart/form-data': { schema: { type: 'object' } } }
  const content = { ...json, ...form }
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } }
}

function respostas(row: RouteShape): Json {
  const erro = {
    description: 'Erro',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Erro' } } },
  }
  const status = String(statusDeSucesso(row))
  const sucesso =
    row.response === undefined
      ? { description: 'Sucesso' }
      : {
          description: 'Sucesso',
          content: { 'application/json': { schema: jsonSchemaDe(row.response, 'output') } },
        }
  return { [status]: sucesso, default: erro }
}

/** HTTP status of success: the route's own, otherwise 200 with a response schema and 204 without. */
export function statusDeSucesso(row: RouteShape): number {
  return row.status ?? (row.response === undefined ? 204 : 200)
}

function operacao(nome: string, row: RouteShape): Json {
  return {
    operationId: nome,
    summary: titulo(nome),
    tags: [row.path.split('/')[1] ?? ''],
    ...(row.permissao === 'publico' ? { security: [] } : { 'x-permissao': row.permissao }),
    parameters: [...parametros(row.params, 'path'), ...parametros(row.query, 'query')],
    ...corpo(row),
    responses: respostas(row),
  }
}

export function openApiDocument(rotas: Readonly<Record<string, RouteShape>>): Json {
  const paths: Record<string, Json> = {}
  for (const [nome, row] of Object.entries(rotas)) {
    const caminho = row.path.replace(/:(\w+)/g, '{$1}')
    paths[caminho] = { ...paths[caminho], [row.method.toLowerCase()]: operacao(nome, row) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Balcão', version: VERSAO_PRODUTO },
    servers: [{ url: '/api' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Erro: jsonSchemaDe(respostaErroSchema, 'output') },
    },
  }
}
