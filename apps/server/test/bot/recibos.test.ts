import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionHost } from '#ports/messaging.ts'
import { ate, type BotHouse, conectar, createBotHouse, createCliente } from './house.ts'

let house: BotHouse
beforeAll(async () => {
  house = await createBotHouse()
})
afterAll(() => house.close())

describe('receipts of a service', () => {
  it('move the messages that people look at forwards, never back, and each step is told once', async () => {
    const hosts: SessionHost[] = []
    const no = await house.no('recibos', {
      connector: (base, _contaId, host) => {
        hosts.push(host)
        return base
      },
    })
    const contaId = await house.conta()
    await conectar(no, contaId)
    const ana = createCliente(no, contaId)
    await ana.diz('oi')
    const bia = createCliente(no, contaId)
    await bia.diz('oi')
    await bia.diz('2')
    await ate(() => house.recebidas.filter((uma) => uma.contaId === contaId).length === 5)
    await no.runtime.ocioso()
    const doBot = house.recebidas.find(({ endereco }) => endereco === ana.telefone)?.idExterno ?? ''
    const deGente = house.recebidas.findLast(({ endereco }) => endereco === bia.telefone)?.idExterno ?? ''
    const contados = (): unknown[] =>
      house.publicados.flatMap(({ evento, dados }) => {
        const mensagem = Object(dados['mensagem'])
        return evento === 'mensagemConversaHumana' && mensagem.id === deGente ? [mensagem.estado] : []
      })
    const [host] = hosts
    for (const recibo of ['entregue', 'entregue', 'lida', 'entregue'] as const) {
      for (const id of [deGente, doBot, 'desconhecido']) host?.recibo(id, recibo)
      await no.runtime.ocioso()
    }
    expect(contados().filter((estado) => estado === 'entregue' || estado === 'lida')).toEqual(['entregue', 'lida'])
    const { rows } = await house.database.owner.query('select estado from mensagens where id = any ($1) order by id', [
      [doBot, deGente],
    ])
    expect(rows).toEqual([{ estado: 'enviada' }, { estado: 'lida' }])
    await no.stop()
  })
})
