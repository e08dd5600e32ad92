import { randomInt, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { RouteShape } from '@balcao/contract/define-route'
import { errorBodySchema } from '@balcao/contract/errors'
import { toJsonSchema } from '@balcao/contract/openapi'
import { apiRoutes } from '@balcao/contract/routes/all'
import { createTestApp, type TestApp } from '#test/app.ts'
import { givenPerson, type TestPerson } from '#test/builders.ts'
import { type Json, sampleOf, shapeOf, wrongBodies } from './bad-bodies.ts'

/** Every route of the contract with generated bad input. The schema of a route decides which bodies are bad. */

const rows: [string, RouteShape][] = Object.entries(apiRoutes)
const errorLines: string[] = []
let app: TestApp
let tables: readonly string[] = []

/** Bookkeeping of requests and processes, which bad input also causes. */
const BOOKKEEPING = new Set(['sessoes', 'tentativas', 'acessos', 'nos', 'bots'])

beforeAll(async () => {
  const log = pino({ level: 'error' }, { write: (line) => void errorLines.push(line) })
  app = await createTestApp({ background: false, log, requestsPerConta: 100_000 })
  const found = await app.sql(`select relname from pg_stat_user_tables where schemaname = 'public'`)
  tables = found.map(({ relname }) => String(relname)).filter((table) => !BOOKKEEPING.has(table))
})
afterAll(() => app?.close())

/** Fingerprint of all stored rows. */
async function stored(): Promise<unknown> {
  const hashes = tables.map(
    (table) => `(select md5(string_agg(t::text, '' order by t::text)) from "${table}" t) as "${table}"`,
  )
  return app.sql(`select ${hashes.join(', ')}`)
}

/** Two contas for all callers: a conta for each would make the fingerprints of all rows ever longer. */
const CONTAS = { admin: randomUUID(), usuario: randomUUID() }

/** A caller whom the route admits. Administrators have no conta of customers, so the other routes get an owner. */
async function callerOf({ permission }: RouteShape): Promise<TestPerson | null> {
  if (permission === 'publico') return null
  const tipo = permission === 'admin' ? 'admin' : 'usuario'
  return givenPerson(app, { tipo, contaId: CONTAS[tipo] })
}

interface Attempt {
  readonly what: string
  readonly url: string
  readonly type?: string
  readonly payload?: string | Buffer
}

async function send(row: RouteShape, caller: TestPerson | null, { url, type, payload }: Attempt) {
  return app.server.http.inject({
    method: row.method,
    url,
    // Each request has a separate address, so the limit per address does not hide an answer.
    remoteAddress: `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
    headers: {
      ...(caller === null ? {} : { authorization: `Bearer ${caller.token}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
}

/** Returns what is wrong with the answer to bad input, or undefined. */
function complaint(what: string, reply: Awaited<ReturnType<typeof send>>): string | undefined {
  const { statusCode } = reply
  if (statusCode < 400 || statusCode >= 500) return `${what}: ${statusCode} ${reply.body.slice(0, 200)}`
  if (statusCode === 429) return `${what}: 429 hides the answer`
  const isError = z.safeParse(errorBodySchema, JSON.parse(reply.body)).success
  return isError ? undefined : `${what}: ${reply.body.slice(0, 200)}`
}

async function refuseAll(row: RouteShape, attempts: readonly Attempt[]): Promise<void> {
  let caller = await callerOf(row)
  const before = await stored()
  const complaints: string[] = []
  for (const [index, attempt] of attempts.entries()) {
    // Below the limit of 200 requests in 2 s per token.
    if (index > 0 && index % 150 === 0) caller = await callerOf(row)
    const found = complaint(attempt.what, await send(row, caller, attempt))
    if (found !== undefined) complaints.push(found)
  }
  expect(complaints).toEqual([])
  expect(errorLines).toEqual([])
  if (attempts.length <= 150) expect(await stored()).toEqual(before)
}

const idsIn = (path: string): string => `/api${path.replace(/:\w+/g, () => randomUUID())}`
const JSON_TYPE = 'application/json'

const BROKEN_TEXTS: readonly (readonly [string, string, string | Buffer])[] = [
  ['broken JSON', JSON_TYPE, '{"a":'],
  ['JSON of another type', JSON_TYPE, '[1]'],
  ['a bare text', JSON_TYPE, '"texto"'],
  ['a number', JSON_TYPE, '7'],
  ['null', JSON_TYPE, 'null'],
  ['a NUL byte outside a text', JSON_TYPE, '{\u0000}'],
  ['bytes that are not UTF-8', JSON_TYPE, Buffer.from([0x7b, 0x22, 0xff, 0xfe])],
  ['a key of the prototype', JSON_TYPE, '{"__proto__":{"tipo":"admin"}}'],
  ['a constructor key', JSON_TYPE, '{"constructor":{"prototype":{"tipo":"admin"}}}'],
  ['deep nesting', JSON_TYPE, `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`],
  ['more than 256 KB', JSON_TYPE, JSON.stringify({ a: 'x'.repeat(300_000) })],
  ['plain text', 'text/plain', 'nome=Ana'],
  ['a form of the browser', 'application/x-www-form-urlencoded', 'nome=Ana'],
  ['XML', 'application/xml', '<a/>'],
  ['an unknown content type', 'nada/disso', '{}'],
]

describe.each(rows.filter(([, { body, bodyType }]) => body !== undefined && bodyType === undefined))(
  '%s',
  (_name, row) => {
    const schema = row.body ?? z.unknown()
    // The server removes NUL before it checks the shape, so a text of NUL alone counts as an empty one.
    const isBad = (body: Json): boolean =>
      !z.safeParse(schema, JSON.parse(JSON.stringify(body).replaceAll('\\u0000', ''))).success
    const asJson = (what: string, body: Json): Attempt => ({
      ...{ what, url: idsIn(row.path), type: JSON_TYPE, payload: JSON.stringify(body) },
    })

    it('refuses bodies that are not of its shape and writes nothing', async () => {
      const sample = sampleOf(shapeOf(schema))
      const generated = wrongBodies(shapeOf(schema), sample).filter(({ body }) => isBad(body))
      const broken = BROKEN_TEXTS.map(([what, type, payload]) => ({ what, url: idsIn(row.path), type, payload }))
      const empty = isBad({}) ? [asJson('an empty object', {}), { what: 'no body', url: idsIn(row.path) }] : []
      const unknown = isBad({}) ? [asJson('only unknown fields', { desconhecido: 1, tipo: 'admin' })] : []
      await refuseAll(row, [...broken, ...empty, ...unknown, ...generated.map(({ what, body }) => asJson(what, body))])
    })

    it('limits the length of every text and list', () => {
      const sample = sampleOf(shapeOf(schema))
      const long = wrongBodies(shapeOf(schema), sample).filter(({ what }) => what.endsWith('too long'))
      expect(long.filter(({ body }) => !isBad(body)).map(({ what }) => what)).toEqual([])
    })
  },
)

const forms = rows.filter(([, { bodyType }]) => bodyType === 'multipart')
it.each(forms)('%s refuses a body that is not a form', async (_name, row) => {
  await refuseAll(
    row,
    BROKEN_TEXTS.map(([what, type, payload]) => ({ what, url: idsIn(row.path), type, payload })),
  )
})

/** These routes ignore a JSON body, so only bodies that no parser reads are refused. */
const bodiless = rows.filter(
  ([, { method, body, bodyType }]) => method !== 'GET' && body === undefined && bodyType === undefined,
)
it.each(bodiless)('%s refuses a body that no parser reads', async (_name, row) => {
  const readable = new Set(['JSON of another type', 'a bare text', 'a number', 'null', 'deep nesting'])
  const unreadable = BROKEN_TEXTS.filter(([what]) => !readable.has(what))
  await refuseAll(
    row,
    unreadable.map(([what, type, payload]) => ({ what, url: idsIn(row.path), type, payload })),
  )
})

const BAD_IDS = [
  '%00',
  'x'.repeat(150),
  'x'.repeat(5_000),
  '%ED%A0%80',
  '%',
  "a'%20or%20'1'='1",
  '__proto__',
  '..%2f..%2fapp',
  '%F0%9F%98%80',
  'null',
  '-1',
  '1e999',
]

describe.each(rows.filter(([, { path }]) => path.includes(':')))('%s by a bad id', (_name, row) => {
  it('answers 4xx and writes nothing', async () => {
    const body = row.body === undefined ? {} : { type: JSON_TYPE, payload: JSON.stringify(sampleOf(shapeOf(row.body))) }
    const attempts = BAD_IDS.map((id) => ({
      what: `id ${id.slice(0, 30)}`,
      url: `/api${row.path.replace(/:\w+/g, id)}`,
      ...body,
    }))
    await refuseAll(row, attempts)
  })
})

const BAD_QUERIES = [
  '',
  '%00',
  '%ED%A0%80',
  '%F0%9F%98%80',
  'x'.repeat(5_000),
  '-1',
  '1e999',
  'NaN',
  '[]',
  '{}',
  "'%20or%201=1",
  '__proto__',
  '2026-02-30',
  '%25',
  '0000-00-00',
]

describe.each(rows.filter(([, { query }]) => query !== undefined))('%s with a bad query', (_name, row) => {
  it('never fails and writes nothing', async () => {
    const fields = Object.keys(
      z.parse(
        z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
        toJsonSchema(row.query ?? z.unknown(), 'input'),
      ).properties,
    )
    const caller = await callerOf(row)
    const before = await stored()
    const failed: string[] = []
    const queries = [...fields, '__proto__', 'constructor'].flatMap((field) => [
      ...BAD_QUERIES.map((value) => `${field}=${value}`),
      `${field}=1&${field}=2`,
      `${field}[a]=1`,
    ])
    for (const query of queries) {
      const reply = await send(row, caller, { what: query, url: `${idsIn(row.path)}?${query}` })
      if (reply.statusCode >= 500) failed.push(`${query}: ${reply.statusCode} ${reply.body.slice(0, 200)}`)
    }
    expect(failed).toEqual([])
    expect(errorLines).toEqual([])
    if (row.method === 'GET') expect(await stored()).toEqual(before)
  })
})
