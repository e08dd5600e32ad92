import * as z from 'zod/mini'
import { VERSAO_PRODUTO } from '#constants.ts'
import type { RouteShape } from '#define-route.ts'
import { errorBodySchema } from './errors.ts'

/** OpenAPI 3.1 document of the contract, served at `/api/docs`. */

type Json = Record<string, unknown>

/** Converts a schema to JSON Schema 2020-12: `input` is the accepted form, `output` the returned one. */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const {
    $schema: _dialeto,
    '~standard': _padrao,
    ...rest
  }: Json = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function buildParameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const parsed = z.object({ properties: z.record(z.string(), z.unknown()) }).safeParse(toJsonSchema(schema, 'input'))
  if (!parsed.success) return []
  const obrigatorios = z.object({ required: z.array(z.string()) }).safeParse(toJsonSchema(schema, 'input'))
  const exigidos = obrigatorios.success ? obrigatorios.data.required : []
  return Object.entries(parsed.data.properties).map(([name, esquema]) => ({
    name,
    in: place,
    required: place === 'path' || exigidos.includes(name),
    schema: esquema,
  }))
}

/** `transferirConversa` → `Transferir conversa`. */
function operationTitle(nome: string): string {
  const words = nome.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function buildRequestBody(row: RouteShape): Json {
  const json = row.body === undefined ? {} : { 'application/json': { schema: toJsonSchema(row.body, 'input') } }
  const form = row.bodyType === undefined ? {} : { 'multipart/form-data': { schema: { type: 'object' } } }
  const content = { ...json, ...form }
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } }
}

function responseJsonSchema(response: z.ZodMiniType, { otherResponse }: RouteShape): Json {
  const schema = toJsonSchema(response, 'output')
  return otherResponse === undefined ? schema : { anyOf: [schema, toJsonSchema(otherResponse.response, 'output')] }
}

function buildResponses(row: RouteShape): Json {
  const error = {
    description: 'Erro',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Erro' } } },
  }
  const status = String(successStatus(row))
  const sucesso =
    row.response === undefined
      ? { description: 'Sucesso' }
      : {
          description: 'Sucesso',
          content: { [row.responseType ?? 'application/json']: { schema: responseJsonSchema(row.response, row) } },
        }
  const accepted =
    row.accepted === undefined
      ? {}
      : {
          202: {
            description: 'Falta um passo',
            content: { 'application/json': { schema: toJsonSchema(row.accepted, 'output') } },
          },
        }
  return { [status]: sucesso, ...accepted, default: error }
}

/** HTTP status of success: the route's own, otherwise 200 with a response schema and 204 without. */
export function successStatus(row: RouteShape): number {
  return row.status ?? (row.response === undefined ? 204 : 200)
}

function buildOperation(nome: string, row: RouteShape): Json {
  return {
    operationId: nome,
    summary: operationTitle(nome),
    tags: [row.path.split('/')[1] ?? ''],
    ...(row.permission === 'publico' ? { security: [] } : { 'x-permissao': row.permission }),
    parameters: [...buildParameters(row.params, 'path'), ...buildParameters(row.query, 'query')],
    ...buildRequestBody(row),
    responses: buildResponses(row),
  }
}

export function openApiDocument(routes: Readonly<Record<string, RouteShape>>): Json {
  const paths: Record<string, Json> = {}
  for (const [nome, row] of Object.entries(routes)) {
    const caminho = row.path.replace(/:(\w+)/g, '{$1}')
    paths[caminho] = { ...paths[caminho], [row.method.toLowerCase()]: buildOperation(nome, row) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Balcão', version: VERSAO_PRODUTO },
    servers: [{ url: '/api' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Erro: toJsonSchema(errorBodySchema, 'output') },
    },
  }
}
