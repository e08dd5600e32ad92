import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Program, startProgram } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { waitUntil } from '#test/app.ts'
import { createFakeMeta, type FakeMeta } from './fake-meta.ts'
import { type MetaLoja, startMetaLoja, untilConnected } from './meta-loja.ts'
import { createMetaPerson, type MetaNames, type MetaPerson, nowSeconds } from './meta-person.ts'

/** Kills the process around each commit that touches the addresses of a person. */

let database: TestDatabase
let dataDir: string
let meta: FakeMeta
let program: Program
let loja: MetaLoja

let people = 0
const nextDigits = (): string => String((people += 1)).padStart(4, '0')

const start = async (crashPoint?: string): Promise<void> => {
  program = await startProgram({ database, dataDir, crashPoint, env: { WHATSAPP_CLOUD_BASE_URL: meta.url } })
}

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-identidade-')
  meta = await createFakeMeta()
  await start()
  loja = await startMetaLoja(program, meta)
})
afterAll(async () => {
  await program.kill()
  await meta.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const rows = async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await database.owner.query<Record<string, unknown>>(text, values)).rows
const settled = () =>
  waitUntil(async () => (await rows('select 1 from oficial_chegadas union all select 1 from saida', [])).length === 0)
const stored = () => waitUntil(async () => (await rows('select 1 from oficial_chegadas', [])).length === 0)
const contatos = (name: string) => rows('select id, telefone, estado from contatos where nome = $1', [name])
const addresses = async (name: string): Promise<unknown[]> =>
  (
    await rows(
      `select e.endereco from enderecos e join contatos c on c.conta_id = e.conta_id and c.id = e.contato_id
       where c.nome = $1 order by 1`,
      [name],
    )
  ).map(({ endereco }) => endereco)
const open = (name: string) =>
  rows(
    `select v.status from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
     where c.nome = $1 and v.status <> 'finalizada'`,
    [name],
  )
const texts = async (name: string): Promise<unknown[]> =>
  (
    await rows(
      `select m.texto from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
       join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
       where c.nome = $1 and m.direcao = 'entrada' order by m.id`,
      [name],
    )
  ).map(({ texto }) => texto)

const metaPerson = (name: string): MetaPerson => createMetaPerson({ meta, webhook: () => loja.webhook(program), name })

/** Two contatos of one person, each with an open conversa with people. The first one asked to stop. */
async function givenTwo(name: string, old: MetaNames, fresh: MetaNames): Promise<MetaPerson> {
  const quem = metaPerson(name)
  await quem.says(old, 'PARAR')
  await quem.says(old, 'atendente')
  await stored()
  await quem.says(fresh, 'atendente')
  await settled()
  expect(await contatos(name)).toHaveLength(2)
  return quem
}

/** Restarts the killed process and returns when it has stored everything. */
async function restarted(): Promise<void> {
  await start()
  await untilConnected(program)
  await stored()
}

describe('server killed while it joins two contatos', () => {
  const cases = ['juncao.antes-commit', 'juncao.apos-commit'].flatMap((point) =>
    (['message', 'notice'] as const).map((by) => ({ point, by })),
  )

  it.each(cases)('has joined none or all of it at $point by a $by', { timeout: 120_000 }, async ({ point, by }) => {
    const digits = nextDigits()
    const name = `Ana ${digits}`
    const [old, fresh] = [{ number: `551194000${digits}` }, { userId: `BR.40${digits}K` }]
    const quem = await givenTwo(name, old, fresh)
    await program.kill()
    await start(`${point}:1`)
    await untilConnected(program)
    const sent = { id: `wamid.${digits}` }
    const join = (): Promise<number> =>
      by === 'message'
        ? quem.says({ ...old, ...fresh }, 'sou eu', sent)
        : quem.moves({ from: old, to: fresh, at: nowSeconds(), ...sent })
    expect(await join()).toBe(200)
    expect(await program.exited).toBe('SIGKILL')
    const joined = point === 'juncao.apos-commit'
    expect(await contatos(name)).toHaveLength(joined ? 1 : 2)
    expect(await open(name)).toHaveLength(joined ? 1 : 2)
    expect((await texts(name)).filter((texto) => texto === 'sou eu')).toEqual([])

    await restarted()
    // Meta repeats the delivery.
    await join()
    await stored()
    const [contato, ...others] = await contatos(name)
    expect(others).toEqual([])
    expect(Object(contato?.['estado'])['paradoEm']).toEqual(expect.any(Number))
    expect(await open(name)).toEqual([{ status: 'aguardando' }])
    expect(await texts(name)).toEqual(['PARAR', 'atendente', 'atendente', ...(by === 'message' ? ['sou eu'] : [])])
  })
})

describe('server killed at the first message of a person', () => {
  it.each(['entrada.antes-commit', 'entrada.apos-commit'])(
    'stores all addresses or none at %s',
    { timeout: 120_000 },
    async (point) => {
      const digits = nextDigits()
      const name = `Bia ${digits}`
      const names = { number: `551195000${digits}`, userId: `BR.50${digits}` }
      const quem = metaPerson(name)
      await program.kill()
      await start(`${point}:1`)
      await untilConnected(program)
      await quem.says(names, 'oi')
      expect(await program.exited).toBe('SIGKILL')
      const all = [names.userId, `tel:${names.number}`]
      expect(await addresses(name)).toEqual(point.includes('antes') ? [] : all)
      await restarted()
      await quem.says({ userId: names.userId }, '4')
      await stored()
      expect(await addresses(name)).toEqual(all)
      expect(await texts(name)).toEqual(['oi', '4'])
    },
  )
})
