import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServerEvent } from '@balcao/contract/realtime'
import { createDelayedDatabase, type DelayedDatabase } from '#test/bot/delayed-database.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'

let database: TestDatabase
let reading: DelayedDatabase
let shop: AtendimentoApp
beforeAll(async () => {
  database = await createTestDatabase()
  // Delays the query of the whole conversa that `novaConversaHumana` needs.
  reading = createDelayedDatabase('v.id = i.id and v.protocolo is not null', 'depois')
  shop = await createAtendimentoApp({ database: database, db: reading.db(database.db) })
})
afterAll(async () => {
  await shop?.close()
  await database?.drop()
})

const conversaDe = ({ evento, dados }: ServerEvent): string | null => {
  if (evento === 'novaConversaHumana') return dados.conversa.id
  return 'conversaId' in dados ? dados.conversaId : null
}

it('publishes acts on a conversa in order after novaConversaHumana, even if its query is slow', async () => {
  const { dona, rui, customerSays } = shop
  const telefone = '5511911770001'
  await customerSays(telefone, 'oi')
  await shop.app.idle()
  const lendo = reading.hold()
  await customerSays(telefone, 'atendente')
  await lendo
  // The list already has the conversa before its event is published.
  const [fresh] = (await rui.list()).filter(({ cliente }) => cliente.telefone === telefone)
  const id = fresh?.id ?? ''
  expect((await rui.act(id, 'assumir')).status).toBe(200)
  expect((await rui.act(id, 'mensagem', { mensagem: 'já vou' })).status).toBe(200)
  expect((await rui.act(id, 'transferir', { setor: 'vendas' })).status).toBe(200)
  expect((await rui.act(id, 'finalizar')).status).toBe(200)
  await reading.release()
  const ouvidos = (): ServerEvent[] => dona.events.filter((event) => conversaDe(event) === id)
  await waitUntil(() => ouvidos().some(({ evento }) => evento === 'conversaFinalizada'))
  const acts = ouvidos().filter(({ evento }) => evento !== 'mensagemConversaHumana')
  expect(acts.map(({ evento }) => evento)).toEqual([
    ...['novaConversaHumana', 'conversaAssumida', 'conversaTransferida', 'conversaFinalizada'],
  ])
  expect(ouvidos()[0]).toMatchObject({ dados: { conversa: { status: 'aguardando', setor: 'geral' } } })
  const texts = ouvidos().flatMap((um) => (um.evento === 'mensagemConversaHumana' ? [um.dados.mensagem.texto] : []))
  expect(texts).toContain('já vou')
})

it('counts a change by the customer and by an operador as one revisao', async () => {
  const { rui, customerSays } = shop
  const telefone = '5511911770002'
  const revisao = async (): Promise<number | undefined> => {
    await shop.app.idle()
    return (await rui.list()).find(({ cliente }) => cliente.telefone === telefone)?.revisao
  }
  await customerSays(telefone, 'oi')
  await customerSays(telefone, 'atendente')
  const opened = (await revisao()) ?? Number.NaN
  await customerSays(telefone, 'alguém aí?')
  expect(await revisao()).toBe(opened + 1)
  const [{ id } = { id: '' }] = (await rui.list()).filter(({ cliente }) => cliente.telefone === telefone)
  expect((await rui.act(id, 'assumir')).status).toBe(200)
  expect(await revisao()).toBe(opened + 2)
  expect((await rui.act(id, 'mensagem', { mensagem: 'já vou' })).status).toBe(200)
  expect(await revisao()).toBe(opened + 3)
})
