import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Lease, unwantBot, takeLeases } from '#bot/bots-repository.ts'
import { createSessionKeys } from '#bot/chaves-da-sessao.ts'
import { createCrashPoints } from '#bot/falha.ts'
import { createVault } from '#security/cofre.ts'
import { type TestRuntime, createTestRuntime } from '#test/bot/house.ts'

/** Session keys in the database: who may write them and that they are sealed. */

let house: TestRuntime
let contaId: string

beforeAll(async () => {
  house = await createTestRuntime()
})
afterAll(() => house.close())
beforeEach(async () => {
  contaId = await house.givenConta()
  await sql(`insert into bots (conta_id, desejado, conector, credenciais) values ($1, true, 'whatsapp', '"seladas"')`)
})

const sql = async (texto: string, ...mais: unknown[]): Promise<Record<string, unknown>[]> =>
  (await house.database.owner.query<Record<string, unknown>>(texto, [contaId, ...mais])).rows

async function tomar(no: string): Promise<Lease> {
  await sql('update bots set lease_expira = null where conta_id = $1')
  const [lease] = await house.database.db.transaction(contaId, (tx) => takeLeases(tx, no, { contaId, includeHeld: false }))
  if (lease === undefined) throw new Error('no lease')
  return lease
}

const abrir = (lease: Lease) =>
  createSessionKeys(
    { db: house.database.db, vault: createVault('segredo de teste'), crashPoint: createCrashPoints(undefined) },
    lease,
  )

const chave = (id: string, valor: string | null) => ({ tipo: 'session', id, valor })
const conteudo = async () => ({
  chaves: await sql('select tipo, id from whatsapp_chaves where conta_id = $1 order by id'),
  chegadas: await sql('select id from whatsapp_chegadas where conta_id = $1 order by ordem'),
})

describe('ChavesDaSessao', () => {
  it('writes and deletes keys together with journal entries', async () => {
    const chaves = abrir(await tomar('a'))
    await chaves.write([chave('1', 'um'), chave('2', 'dois')], [])
    await chaves.write(
      [chave('1', null), chave('2', 'dois outra vez'), chave('3', 'três')],
      [{ id: 'm1', valor: 'oi' }],
    )
    expect([...(await chaves.read('session', ['1', '2', '3']))]).toEqual(
      expect.arrayContaining([
        ['2', 'dois outra vez'],
        ['3', 'três'],
      ]),
    )
    expect(await chaves.read('pre-key', ['2'])).toEqual(new Map())
    expect(await chaves.listEntries()).toEqual([{ id: 'm1', valor: 'oi' }])
    await chaves.completeEntry('m1')
    expect(await chaves.listEntries()).toEqual([])
  })

  it('seals values and binds them to their id', async () => {
    const chaves = abrir(await tomar('a'))
    await chaves.write([chave('1', 'chave privada')], [{ id: 'm1', valor: 'o que a Ana disse' }])
    const [linha] = await sql('select valor from whatsapp_chaves where conta_id = $1')
    expect(linha?.['valor']).toMatch(/^selado:/)
    await sql(`update whatsapp_chaves set id = '2' where conta_id = $1`)
    await expect(chaves.read('session', ['2'])).rejects.toThrow()
  })

  it('rejects every write after the lease is lost', async () => {
    const velha = abrir(await tomar('a'))
    await velha.write([chave('1', 'um')], [])
    const nova = abrir(await tomar('b'))
    const antes = await conteudo()
    await expect(velha.write([chave('1', null), chave('2', 'dois')], [{ id: 'm', valor: 'oi' }])).rejects.toThrow(
      'lease',
    )
    await expect(velha.clear()).rejects.toThrow('lease')
    expect(await conteudo()).toEqual(antes)
    await nova.write([chave('2', 'dois')], [])
    expect((await conteudo()).chaves).toHaveLength(2)
    await nova.clear()
    expect((await conteudo()).chaves).toEqual([])
  })

  it('deletes the keys when the session is cleared and keeps the journal', async () => {
    const chaves = abrir(await tomar('a'))
    await chaves.write([chave('1', 'um')], [{ id: 'm1', valor: 'oi' }])
    await house.database.db.transaction(contaId, (tx) => unwantBot(tx, contaId, { esquecer: true }))
    await expect(chaves.write([chave('2', 'dois')], [])).rejects.toThrow('lease')
    expect(await conteudo()).toEqual({ chaves: [], chegadas: [{ id: 'm1' }] })
  })
})
