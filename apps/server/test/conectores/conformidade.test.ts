import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { type Casa, createCasa } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import {
  CHROME,
  type ClienteDaRede,
  createRedeNavegador,
  createRedeOficial,
  createRedeSimulada,
  createRedeWhatsapp,
  type Rede,
} from './redes.ts'

/**
 * What the bot expects of a service, whichever it is: each connector passes the same tests, through the panel's API on one
 * side and a customer's phone on the other. Of crashes, here is what one leaves in the tables; programs are killed in
 * bot/kill.test.ts, whatsapp/quedas.test.ts, oficial/quedas.test.ts and, with a session that is abandoned, navegador/sessao.test.ts.
 */

const REDES = [
  ['simulador', createRedeSimulada],
  ['whatsapp', createRedeWhatsapp],
  ['navegador', createRedeNavegador],
  ['oficial', createRedeOficial],
] as const
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

describe.each(REDES)('the connector %s', (nome, criar) => {
  let banco: TestDatabase
  let rede: Rede
  let casa: Casa

  beforeAll(async () => {
    banco = await createTestDatabase()
    rede = await criar()
    casa = await createCasa({ banco, tempos: { renovarMs: 200, esperasMs: [20, 40, 60, 80] }, ...rede.opcoes })
    const { config } = configRespostaSchema.parse((await casa.pedir('GET', '/config')).body)
    await casa.pedir('PUT', '/config', {
      ...config,
      whatsapp: { ...config.whatsapp, clientId: 'loja', conector: rede.conector, chromePath: CHROME },
      menu: { ...config.menu, digitando: false },
    })
  })
  afterAll(async () => {
    await casa.close()
    await rede.fechar()
    await banco.drop()
  })

  const status = async (): Promise<unknown> => (await casa.pedir('GET', '/bot/status')).body['status']
  const conectado = () => ate(async () => (await status()) === 'CONECTADO')
  const conectar = async (): Promise<void> => {
    await casa.pedir('POST', '/bot/iniciar')
    await ate(async () => (await status()) === rede.semVinculo)
    await rede.escanear(casa)
    await conectado()
  }
  const leu = (cliente: ClienteDaRede, quantas: number): Promise<string[]> =>
    ate(async () => {
      const lidas = await cliente.lidas(casa)
      return lidas.length >= quantas ? lidas : null
    })
  /** A conversation with people, and what one of them says in it. */
  const comPessoas = async (
    nomeDoCliente: string,
    cliente: ClienteDaRede,
  ): Promise<(texto: string) => Promise<unknown>> => {
    await cliente.diz(casa, 'atendente')
    const conversa = await ate(async () => {
      const [nova] = await casa.sql(
        `select v.id from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
         where v.protocolo is not null and c.nome = '${nomeDoCliente}'`,
      )
      return nova ?? null
    })
    return (mensagem) => casa.pedir('POST', `/atendimento/conversas/${String(conversa['id'])}/mensagem`, { mensagem })
  }
  const ficou = (texto: string, estado: string) =>
    ate(async () => {
      const linhas = await casa.sql(
        `select m.id from mensagens m left join saida s on s.conta_id = m.conta_id and s.mensagem_id = m.id
         where m.texto = '${texto}' and m.estado = '${estado}' and s.mensagem_id is null`,
      )
      return linhas[0] ?? null
    })
  const guardadas = async (texto: string): Promise<number> =>
    (await casa.sql(`select 1 from mensagens where direcao = 'entrada' and texto = '${texto}'`)).length

  it('connects by a code, or by what the owner types, and says who is connected', async () => {
    await conectar()
    const { body } = await casa.pedir('GET', '/bot/status')
    expect(body).toMatchObject({ isRunning: true, qrCode: null, conectadoComo: expect.stringMatching(/./) })
  })

  it('tells when the service was last heard, anew with each renewal of the lease', async () => {
    const sinal = async (): Promise<unknown> => (await casa.pedir('GET', '/sistema/status')).body['sinal']
    expect(await sinal()).toBe('forte')
    // A renewal may come between the two: then once more.
    await ate(async () => {
      await casa.sql(`update bots set ultimo_quadro = now() - interval '1 hour'`)
      return (await sinal()) === 'fraco'
    })
    await ate(async () => (await sinal()) === 'forte')
  })

  it('brings a message once, however often the service repeats it, and its answer once', async () => {
    const cliente = rede.cliente('Ana')
    await cliente.diz(casa, 'uma vez', '3AREPETIDA')
    await leu(cliente, 2)
    await cliente.diz(casa, 'uma vez', '3AREPETIDA')
    await cliente.diz(casa, '4')
    await leu(cliente, 3)
    expect(await guardadas('uma vez')).toBe(1)
    expect(await cliente.lidas(casa)).toHaveLength(3)
  })

  it('keeps the order of what a customer writes and of what we answer', async () => {
    const cliente = rede.cliente('Bia')
    const outro = rede.cliente('Caio')
    for (const texto of ['oi', '4', 'hein?', '4']) await cliente.diz(casa, texto)
    await outro.diz(casa, 'oi')
    const lidas = await leu(cliente, 6)
    const horario = lidas[2]
    expect(lidas.lastIndexOf(horario ?? '')).toBe(lidas.length - 1)
    expect(lidas[3]).not.toBe(horario)
    await leu(outro, 2)
  })

  it('tries a refused message again until it left, in its place, once', async () => {
    const cliente = rede.cliente('Davi')
    await rede.recusar(casa, 2)
    await cliente.diz(casa, 'oi')
    const lidas = await leu(cliente, 2)
    expect(lidas[0]).toContain('Davi')
    // The customer may read it before we hear that it left.
    await ate(async () => (await casa.sql('select 1 from saida')).length === 0)
    expect(await cliente.lidas(casa)).toEqual(lidas)
  })

  it('says of a message that it left, arrived and was read, and never takes that back', async () => {
    const cliente = rede.cliente('Gil')
    const dizer = await comPessoas('Gil', cliente)
    await dizer('lá vai')
    await ate(async () => (await cliente.lidas(casa)).includes('lá vai'))
    if (cliente.avanca === undefined) return void (await ficou('lá vai', 'enviada'))
    await ate(async () => (await casa.sql('select 1 from saida')).length === 0)
    await cliente.avanca(casa, 'lá vai', 'entregue')
    await ficou('lá vai', 'entregue')
    await cliente.avanca(casa, 'lá vai', 'lida')
    await ficou('lá vai', 'lida')
    await cliente.avanca(casa, 'lá vai', 'entregue')
    await dizer('e mais esta')
    await ate(async () => (await cliente.lidas(casa)).includes('e mais esta'))
    await casa.ocioso()
    await ficou('lá vai', 'lida')
  })

  it('gives a message up after its last attempt, until a person sends it again', async () => {
    const cliente = rede.cliente('Hugo')
    const dizer = await comPessoas('Hugo', cliente)
    await ate(async () => (await casa.sql('select 1 from saida')).length === 0)
    await rede.recusar(casa, 5)
    await dizer('em vão')
    const { id } = await ficou('em vão', 'falhou')
    expect(await cliente.lidas(casa)).not.toContain('em vão')
    await casa.pedir('POST', `/atendimento/mensagens/${String(id)}/reenviar`)
    await ate(async () => (await cliente.lidas(casa)).includes('em vão'))
  })

  it('sends nothing twice when the server ended before it could write that it had left', async () => {
    const cliente = rede.cliente('Íris')
    const dizer = await comPessoas('Íris', cliente)
    await dizer('só uma')
    await ate(async () => (await cliente.lidas(casa)).includes('só uma'))
    await ate(async () => (await casa.sql('select 1 from saida')).length === 0)
    const lidas = await cliente.lidas(casa)
    await casa.pedir('POST', '/bot/parar')
    await casa.close()
    await banco.owner.query(
      `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
       select m.conta_id, m.id, v.contato_id, c.endereco, '{}', m.id::text
       from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
       join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id where m.texto = 'só uma'`,
    )
    casa = await createCasa({ banco, ...rede.opcoes })
    await cliente.avanca?.(casa, 'só uma', 'saiu')
    await casa.pedir('POST', '/bot/iniciar')
    await conectado()
    await ate(async () => (await casa.sql('select 1 from saida')).length === 0)
    expect(await cliente.lidas(casa)).toEqual(lidas)
  })

  // The embedded phone is never out of reach.
  // The simulated phone is part of the server: there is no line that could be cut.
  const seHouverLinha = nome === 'simulador' ? undefined : it
  seHouverLinha?.('comes back by itself after the line was cut', async () => {
    const cliente = rede.cliente('Eva')
    rede.cortar?.()
    await cliente.diz(casa, 'voltou?')
    await leu(cliente, 2)
    await conectado()
  })

  it('comes back without a new scan when the server starts again', async () => {
    const cliente = rede.cliente('Fábio')
    await casa.close()
    casa = await createCasa({ banco, ...rede.opcoes })
    await conectado()
    await cliente.diz(casa, 'oi')
    await leu(cliente, 2)
  })

  it('stops when asked, and keeps the link', async () => {
    await casa.pedir('POST', '/bot/parar')
    expect(await status()).toBe('PARADO')
    await casa.pedir('POST', '/bot/iniciar')
    await conectado()
  })

  it('says so when the link is taken back, and asks for a new one', async () => {
    await rede.remover(casa)
    await ate(async () => (await status()) === rede.removida.status)
    expect((await casa.pedir('GET', '/bot/status')).body).toMatchObject(rede.removida)
    await conectar()
  })

  it('forgets the link when the session is cleared', async () => {
    await casa.pedir('POST', '/bot/limpar-sessao')
    expect(await status()).toBe('PARADO')
    await casa.pedir('POST', '/bot/iniciar')
    await ate(async () => (await status()) === rede.semVinculo)
  })
})
