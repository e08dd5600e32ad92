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
 * Conformance tests of all connectors: the panel's API on one side, a customer's phone on the other. Crashes are
 * simulated by writing the rows they leave behind; the suites that kill real processes are elsewhere.
 */

const REDES = [
  ['simulador', createRedeSimulada],
  ['whatsapp', createRedeWhatsapp],
  ['navegador', createRedeNavegador],
  ['oficial', createRedeOficial],
] as const
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

describe.each(REDES)('connector %s', (nome, criar) => {
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
  /** Starts a conversa with operators and returns a function that sends as one of them. */
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

  it('connects by QR code or token and shows the connected name', async () => {
    await conectar()
    const { body } = await casa.pedir('GET', '/bot/status')
    expect(body).toMatchObject({ isRunning: true, qrCode: null, conectadoComo: expect.stringMatching(/./) })
  })

  it('renews the link signal with each lease renewal', async () => {
    const sinal = async (): Promise<unknown> => (await casa.pedir('GET', '/sistema/status')).body['sinal']
    expect(await sinal()).toBe('forte')
    // A renewal may run between the update and the read, so both repeat.
    await ate(async () => {
      await casa.sql(`update bots set ultimo_quadro = now() - interval '1 hour'`)
      return (await sinal()) === 'fraco'
    })
    await ate(async () => (await sinal()) === 'forte')
  })

  it('delivers a repeated message once and answers it once', async () => {
    const cliente = rede.cliente('Ana')
    await cliente.diz(casa, 'uma vez', '3AREPETIDA')
    await leu(cliente, 2)
    await cliente.diz(casa, 'uma vez', '3AREPETIDA')
    await cliente.diz(casa, '4')
    await leu(cliente, 3)
    expect(await guardadas('uma vez')).toBe(1)
    expect(await cliente.lidas(casa)).toHaveLength(3)
  })

  it('keeps the order of a contato’s messages and of the answers', async () => {
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

  it('retries a refused message in its place until it is sent once', async () => {
    const cliente = rede.cliente('Davi')
    await rede.recusar(casa, 2)
    await cliente.diz(casa, 'oi')
    const lidas = await leu(cliente, 2)
    expect(lidas[0]).toContain('Davi')
    // The customer may have the message before the outbox row is deleted.
    await ate(async () => (await casa.sql('select 1 from saida')).length === 0)
    expect(await cliente.lidas(casa)).toEqual(lidas)
  })

  it('advances a mensagem to sent, delivered and read, and never back', async () => {
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

  it('gives up after the last attempt until an operator resends', async () => {
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

  it('sends nothing twice when the server ended before marking it sent', async () => {
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

  // The simulated phone runs in the server, so there is no connection to cut.
  const seHouverLinha = nome === 'simulador' ? undefined : it
  seHouverLinha?.('reconnects after the connection was cut', async () => {
    const cliente = rede.cliente('Eva')
    rede.cortar?.()
    await cliente.diz(casa, 'voltou?')
    await leu(cliente, 2)
    await conectado()
  })

  it('reconnects without a new scan after a server restart', async () => {
    const cliente = rede.cliente('Fábio')
    await casa.close()
    casa = await createCasa({ banco, ...rede.opcoes })
    await conectado()
    await cliente.diz(casa, 'oi')
    await leu(cliente, 2)
  })

  it('stops on request and keeps the link', async () => {
    await casa.pedir('POST', '/bot/parar')
    expect(await status()).toBe('PARADO')
    await casa.pedir('POST', '/bot/iniciar')
    await conectado()
  })

  it('reports a link removed on the phone and pairs again', async () => {
    await rede.remover(casa)
    await ate(async () => (await status()) === rede.removida.status)
    expect((await casa.pedir('GET', '/bot/status')).body).toMatchObject(rede.removida)
    await conectar()
  })

  it('deletes the link when the session is cleared', async () => {
    await casa.pedir('POST', '/bot/limpar-sessao')
    expect(await status()).toBe('PARADO')
    await casa.pedir('POST', '/bot/iniciar')
    await ate(async () => (await status()) === rede.semVinculo)
  })
})
