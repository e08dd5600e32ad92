import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionHost } from '#ports/messaging.ts'
import { ate, type BotHouse, conectar, createBotHouse, createCliente } from './house.ts'

let house: BotHouse
beforeAll(async () => {
  house = await createBotHouse()
})
afterAll(() => house.close())

async function passadas(...clientes: readonly { readonly telefone: string }[]): Promise<void> {
  const ultimo = clientes.at(-1)?.telefone
  await ate(
    () =>
      clientes.every(({ telefone }) => house.recebidas.some(({ endereco }) => endereco === telefone)) &&
      house.recebidas.some(({ endereco, texto }) => endereco === ultimo && texto.startsWith('PROTOCOLO')),
  )
}

describe('SessionHost.receipt', () => {
  it('moves message states forward only and publishes each step once', async () => {
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
    await passadas(ana, bia)
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

  it('publishes no outdated sent event after an early receipt or failure', async () => {
    type Noticia = (host: SessionHost, idExterno: string) => void | Promise<void>
    let noticia: Noticia = () => undefined
    const no = await house.no('recibos-cedo', {
      connector: (base, _contaId, host) => ({
        ...base,
        send: async (mensagem) => {
          await base.send(mensagem)
          await noticia(host, mensagem.idExterno)
          await no.runtime.ocioso()
        },
      }),
    })
    const contaId = await house.conta()
    await conectar(no, contaId)
    const bia = createCliente(no, contaId)
    await bia.diz('oi')
    await bia.diz('2')
    await passadas(bia)
    await no.runtime.ocioso()
    const deGente = house.recebidas.findLast(({ endereco }) => endereco === bia.telefone)?.idExterno ?? ''

    /** Stores and queues a message in one transaction, like an operador's send, with a prepared "sent" event. */
    const mandar = async (texto: string): Promise<unknown[]> => {
      const id = no.deps.ids.uuid()
      const { rows } = await house.database.owner.query<{ contato_id: string }>(
        `with m as (
           insert into mensagens
           select (jsonb_populate_record(m, jsonb_build_object('id', $2::text, 'texto', $3::text))).*
           from mensagens m where m.id = $1 returning *)
         insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
         select m.conta_id, m.id, v.contato_id, $4, '{}', m.id from m join conversas v on v.id = m.conversa_id
         returning contato_id`,
        [deGente, id, texto, bia.telefone],
      )
      const contados: unknown[] = []
      const { length } = house.publicados
      const saiu = (): void => void contados.push('enviada')
      const contatoId = rows[0]?.contato_id ?? ''
      no.runtime.bots.saidaNova(contaId, [
        { mensagemId: id, idExterno: id, texto, contatoId, endereco: bia.telefone, saiu },
      ])
      await ate(async () => (await house.database.owner.query('select from saida')).rowCount === 0)
      await no.runtime.ocioso()
      for (const { evento, dados } of house.publicados.slice(length)) {
        const mensagem = Object(dados['mensagem'])
        if (evento === 'mensagemConversaHumana' && mensagem.id === id) contados.push(mensagem.estado)
      }
      return contados
    }

    expect(await mandar('sem notícia')).toEqual(['enviada'])
    noticia = (host, id) => host.recibo(id, 'entregue')
    expect(new Set(await mandar('chegou logo'))).toEqual(new Set(['entregue']))
    noticia = (host, id) => host.naoEntregue(id, 'número não existe')
    expect(new Set(await mandar('não chegou'))).toEqual(new Set(['falhou']))
    await no.stop()
  })
})
