import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionHost } from '@balcao/connector/port'
import { type TestRuntime, connectBot, createTestRuntime, createCustomer } from './test-runtime.ts'
import { waitUntil } from '#test/app.ts'
import { firstLine } from '#db/statement/line.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

async function passadas(...clientes: readonly { readonly phone: string }[]): Promise<void> {
  const last = clientes.at(-1)?.phone
  await waitUntil(
    () =>
      clientes.every(({ phone }) => runtime.delivered.some(({ endereco }) => endereco === phone)) &&
      runtime.delivered.some(({ endereco, texto }) => endereco === last && texto.startsWith('PROTOCOLO')),
  )
}

describe('SessionHost.receipt', () => {
  it('moves message states forward only and publishes each step once', async () => {
    const hosts: SessionHost[] = []
    const no = await runtime.startNode('recibos', {
      connector: (base, _contaId, host) => {
        hosts.push(host)
        return base
      },
    })
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    const bia = createCustomer(no, contaId)
    await bia.says('oi')
    await bia.says('2')
    await passadas(ana, bia)
    // A receipt before the end of the send would publish its state a second time.
    const waiting = 'select mensagem_id from saida where conta_id = $1'
    await waitUntil(async () => (await runtime.database.owner.query(waiting, [contaId])).rows.length === 0)
    await no.runtime.idle()
    const doBot = runtime.delivered.find(({ endereco }) => endereco === ana.phone)?.idExterno ?? ''
    const deGente = runtime.delivered.findLast(({ endereco }) => endereco === bia.phone)?.idExterno ?? ''
    const counted = (): unknown[] =>
      runtime.published.flatMap(({ event, payload }) => {
        const mensagem = Object(payload['mensagem'])
        return event === 'mensagemConversaHumana' && mensagem.id === deGente ? [mensagem.estado] : []
      })
    const [host] = hosts
    for (const recibo of ['entregue', 'entregue', 'lida', 'entregue'] as const) {
      for (const id of [deGente, doBot, 'desconhecido']) host?.receipt(id, recibo)
      await no.runtime.idle()
    }
    expect(counted().filter((state) => state === 'entregue' || state === 'lida')).toEqual(['entregue', 'lida'])
    const { rows } = await runtime.database.owner.query(
      'select estado from mensagens where id = any ($1) order by id',
      [[doBot, deGente]],
    )
    expect(rows).toEqual([{ estado: 'enviada' }, { estado: 'lida' }])
    await no.stop()
  })

  it('publishes no outdated sent event after an early receipt or failure', async () => {
    type Noticia = (host: SessionHost, idExterno: string) => void | Promise<void>
    let news: Noticia = () => undefined
    const no = await runtime.startNode('recibos-cedo', {
      connector: (base, _contaId, host) => ({
        ...base,
        send: async (mensagem) => {
          await base.send(mensagem)
          await news(host, mensagem.idExterno)
          await no.runtime.idle()
        },
      }),
    })
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const bia = createCustomer(no, contaId)
    await bia.says('oi')
    await bia.says('2')
    await passadas(bia)
    await no.runtime.idle()
    const deGente = runtime.delivered.findLast(({ endereco }) => endereco === bia.phone)?.idExterno ?? ''

    /** Stores and queues a message in one transaction, like an operador's send, with a prepared "sent" event. */
    const mandar = async (texto: string): Promise<unknown[]> => {
      const id = no.deps.ids.uuid()
      const { rows } = await runtime.database.owner.query<{ contato_id: string }>(
        `with m as (
           insert into mensagens
           select (jsonb_populate_record(m, jsonb_build_object('id', $2::text, 'texto', $3::text))).*
           from mensagens m where m.id = $1 returning *)
         insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
         select m.conta_id, m.id, v.contato_id, $4, '{}', m.id from m join conversas v on v.id = m.conversa_id
         returning contato_id`,
        [deGente, id, texto, bia.phone],
      )
      const counted: unknown[] = []
      const { length } = runtime.published
      const left = (): void => void counted.push('enviada')
      const contatoId = rows[0]?.contato_id ?? ''
      no.runtime.bots.outboxAdded(firstLine(contaId), [
        { mensagemId: id, idExterno: id, texto, contatoId, anterior: null, endereco: bia.phone, onSent: left },
      ])
      await waitUntil(async () => (await runtime.database.owner.query('select from saida')).rowCount === 0)
      await no.runtime.idle()
      for (const { event, payload } of runtime.published.slice(length)) {
        const mensagem = Object(payload['mensagem'])
        if (event === 'mensagemConversaHumana' && mensagem.id === id) counted.push(mensagem.estado)
      }
      return counted
    }

    expect(await mandar('sem notícia')).toEqual(['enviada'])
    news = (host, id) => host.receipt(id, 'entregue')
    expect(new Set(await mandar('chegou logo'))).toEqual(new Set(['entregue']))
    news = (host, id) => host.undelivered(id, 'número não existe')
    expect(new Set(await mandar('não chegou'))).toEqual(new Set(['falhou']))
    await no.stop()
  })
})
