import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createHttp } from '#http/server.ts'

const GIVEN = 'proxy-7f3a_91'

/** Asks a route that fails, and returns the id in the answer and those in the log. */
async function failWith(trustProxy: boolean, id?: string): Promise<{ answered: unknown; logged: unknown[] }> {
  const logged: unknown[] = []
  const write = (line: string): void => void logged.push(JSON.parse(line).pedido)
  const http = await createHttp({ log: pino({}, { write }), trustProxy })
  http.get('/api/falha', () => Promise.reject(new Error('broken')))
  const { headers } = await http.inject({
    url: '/api/falha',
    ...(id === undefined ? {} : { headers: { 'x-request-id': id } }),
  })
  await http.close()
  return { answered: headers['x-request-id'], logged }
}

it('keeps the request id of a trusted proxy in the answer and in the log', async () => {
  expect(await failWith(true, GIVEN)).toEqual({ answered: GIVEN, logged: [GIVEN] })
})

it.each([
  ['without a trusted proxy', false, GIVEN],
  ['for a name with other characters', true, 'a b\tc d e f'],
  ['for a short name', true, 'abc'],
  ['for a long name', true, 'a'.repeat(65)],
  ['for a request without a name', true, undefined],
] as const)('makes a request id %s', async (_, trustProxy, id) => {
  const { answered, logged } = await failWith(trustProxy, id)
  expect(answered).toMatch(/^[0-9a-f-]{36}$/)
  expect(logged).toEqual([answered])
})

it('names the answer to an undecodable URL', async () => {
  const http = await createHttp({ log: pino({ level: 'silent' }), trustProxy: true })
  http.get('/api/:id', () => 'found')
  const { statusCode, headers } = await http.inject({ url: '/api/%E0%A4%A', headers: { 'x-request-id': GIVEN } })
  await http.close()
  expect([statusCode, headers['x-request-id']]).toEqual([404, GIVEN])
})
