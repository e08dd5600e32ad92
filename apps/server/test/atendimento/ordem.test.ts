import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServerEvent } from '@balcao/contract/realtime'
import { createDelayedDatabase, type DelayedDatabase } from '#test/bot/demora.ts'
import { waitUntil } from '#test/bot/house.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createAtendimentoApp, type AtendimentoApp } from './posto.ts'

let banco: TestDatabase
let leitura: DelayedDatabase
let posto: AtendimentoApp
beforeAll(async () => {
  banco = await createTestDatabase()
  // Delays the query of the whole conversa that `novaConversaHumana` needs.
  leitura = createDelayedDatabase('v.id = $2 and v.protocolo is not null', 'depois')
  posto = await createAtendimentoApp({ testDatabase: banco, db: leitura.db(banco.db) })
})
afterAll(async () => {
  await posto?.close()
  await banco?.drop()
})

const conversaDe = ({ evento, dados }: ServerEvent): string | null => {
  if (evento === 'novaConversaHumana') return dados.conversa.id
  return 'conversaId' in dados ? dados.conversaId : null
}

it('publishes acts on a conversa in order after novaConversaHumana, even if its query is slow', async () => {
  const { dona, rui, customerSays } = posto
  const telefone = '5511911770001'
  await customerSays(telefone, 'oi')
  await posto.app.idle()
  const lendo = leitura.hold()
  await customerSays(telefone, 'atendente')
  await lendo
  // The list already has the conversa before its event is published.
  const [nova] = (await rui.list()).filter(({ cliente }) => cliente.telefone === telefone)
  const id = nova?.id ?? ''
  expect((await rui.act(id, 'assumir')).status).toBe(200)
  expect((await rui.act(id, 'mensagem', { mensagem: 'já vou' })).status).toBe(200)
  expect((await rui.act(id, 'transferir', { setor: 'vendas' })).status).toBe(200)
  expect((await rui.act(id, 'finalizar')).status).toBe(200)
  await leitura.release()
  const ouvidos = (): ServerEvent[] => dona.events.filter((evento) => conversaDe(evento) === id)
  await waitUntil(() => ouvidos().some(({ evento }) => evento === 'conversaFinalizada'))
  const atos = ouvidos().filter(({ evento }) => evento !== 'mensagemConversaHumana')
  expect(atos.map(({ evento }) => evento)).toEqual([
    ...['novaConversaHumana', 'conversaAssumida', 'conversaTransferida', 'conversaFinalizada'],
  ])
  expect(ouvidos()[0]).toMatchObject({ dados: { conversa: { status: 'aguardando', setor: 'geral' } } })
  const textos = ouvidos().flatMap((um) => (um.evento === 'mensagemConversaHumana' ? [um.dados.mensagem.texto] : []))
  expect(textos).toContain('já vou')
})
