import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventoServidor } from '@balcao/contract/realtime'
import { createDemora, type Demora } from '#test/bot/demora.ts'
import { ate } from '#test/bot/house.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createPosto, type Posto } from './posto.ts'

let banco: TestDatabase
let leitura: Demora
let posto: Posto
beforeAll(async () => {
  banco = await createTestDatabase()
  // Delays the query of the whole conversa that `novaConversaHumana` needs.
  leitura = createDemora('v.id = $2 and v.protocolo is not null', 'depois')
  posto = await createPosto({ banco, db: leitura.db(banco.db) })
})
afterAll(async () => {
  await posto?.close()
  await banco?.drop()
})

const conversaDe = ({ evento, dados }: EventoServidor): string | null => {
  if (evento === 'novaConversaHumana') return dados.conversa.id
  return 'conversaId' in dados ? dados.conversaId : null
}

it('publishes acts on a conversa in order after novaConversaHumana, even if its query is slow', async () => {
  const { dona, rui, clienteDiz } = posto
  const telefone = '5511911770001'
  await clienteDiz(telefone, 'oi')
  await posto.casa.ocioso()
  const lendo = leitura.segurar()
  await clienteDiz(telefone, 'atendente')
  await lendo
  // The list already has the conversa before its event is published.
  const [nova] = (await rui.listar()).filter(({ cliente }) => cliente.telefone === telefone)
  const id = nova?.id ?? ''
  expect((await rui.agir(id, 'assumir')).status).toBe(200)
  expect((await rui.agir(id, 'mensagem', { mensagem: 'já vou' })).status).toBe(200)
  expect((await rui.agir(id, 'transferir', { setor: 'vendas' })).status).toBe(200)
  expect((await rui.agir(id, 'finalizar')).status).toBe(200)
  await leitura.soltar()
  const ouvidos = (): EventoServidor[] => dona.eventos.filter((evento) => conversaDe(evento) === id)
  await ate(() => ouvidos().some(({ evento }) => evento === 'conversaFinalizada'))
  const atos = ouvidos().filter(({ evento }) => evento !== 'mensagemConversaHumana')
  expect(atos.map(({ evento }) => evento)).toEqual([
    ...['novaConversaHumana', 'conversaAssumida', 'conversaTransferida', 'conversaFinalizada'],
  ])
  expect(ouvidos()[0]).toMatchObject({ dados: { conversa: { status: 'aguardando', setor: 'geral' } } })
  const textos = ouvidos().flatMap((um) => (um.evento === 'mensagemConversaHumana' ? [um.dados.mensagem.texto] : []))
  expect(textos).toContain('já vou')
})
