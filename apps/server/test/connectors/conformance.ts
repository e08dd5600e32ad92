import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type ConectorTipo, type ConnectorRow, CONNECTORS } from '@balcao/contract/connectors'
import { configSchema } from '@balcao/contract/entities/config'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { CHROME, type NetworkCustomer, type TestNetwork } from './networks.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'
import { addChatLine } from '#test/webchat/visitor.ts'

const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

/**
 * Conformance tests of one connector: the panel's API on one side, a customer's phone on the other. Crashes are
 * simulated by writing the rows they leave behind; the suites that kill real processes are elsewhere.
 */
export function testConnector(name: ConectorTipo, create: () => Promise<TestNetwork>): void {
  describe(`connector ${name}`, () => conformanceTests(CONNECTORS[name], create))
}

/** The simulated phone and the chat of the site run in the server, so there is no connection to cut. */
const INSIDE: readonly ConnectorRow['pairing'][] = ['simulated', 'site']

function conformanceTests({ pairing, changesSent }: ConnectorRow, create: () => Promise<TestNetwork>): void {
  let database: TestDatabase
  let network: TestNetwork
  let app: TestApp
  /** All servers share the folder, because it may hold the link. */
  let dataDir: string
  /** Path of the routes of the line. */
  let line = '/bot'

  beforeAll(async () => {
    database = await createTestDatabase()
    network = await create()
    dataDir = await mkdtemp('/tmp/balcao-conformidade-')
    app = await createTestApp({
      ...{ database, settings: { dataDir } },
      timings: { renewMs: 200, retryWaitsMs: [20, 40, 60, 80] },
      ...network.options,
    })
    const { config } = configRespostaSchema.parse((await app.request('GET', '/config')).body)
    const conector = pairing === 'site' ? 'simulador' : network.conector
    await app.request('PUT', '/config', {
      ...config,
      whatsapp: { ...config.whatsapp, clientId: 'loja', conector, chromePath: CHROME },
      menu: { ...config.menu, digitando: false, juntarMensagens: 'nunca' },
    })
    // The chat on the site is never the main line.
    if (pairing === 'site') line = await addChatLine(app.admin)
  })
  afterAll(async () => {
    await app.close()
    await network.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const status = async (): Promise<unknown> => (await app.request('GET', `${line}/status`)).body['status']
  const connected = () => waitUntil(async () => (await status()) === 'CONECTADO')
  const connect = async (): Promise<void> => {
    await app.request('POST', `${line}/iniciar`)
    await waitUntil(async () => (await status()) === network.unlinkedStatus)
    await network.scan(app)
    await connected()
  }
  const leu = (cliente: NetworkCustomer, count: number): Promise<string[]> =>
    waitUntil(async () => {
      const parsed = await cliente.received(app)
      return parsed.length >= count ? parsed : null
    })
  /** Starts a conversa with operators and returns a function that sends as one of them. */
  const comPessoas = async (
    nomeDoCliente: string,
    cliente: NetworkCustomer,
  ): Promise<(text: string) => Promise<unknown>> => {
    await cliente.says(app, 'atendente')
    const conversa = await waitUntil(async () => {
      const [fresh] = await app.sql(
        `select v.id from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
         where v.protocolo is not null and c.nome = '${nomeDoCliente}'`,
      )
      return fresh ?? null
    })
    return (mensagem) => app.request('POST', `/atendimento/conversas/${String(conversa['id'])}/mensagem`, { mensagem })
  }
  const ficou = (text: string, state: string) =>
    waitUntil(async () => {
      const lines = await app.sql(
        `select m.id from mensagens m left join saida s on s.conta_id = m.conta_id and s.mensagem_id = m.id
         where m.texto = '${text}' and m.estado = '${state}' and s.mensagem_id is null`,
      )
      return lines[0] ?? null
    })
  const stored = async (text: string): Promise<number> =>
    (await app.sql(`select 1 from mensagens where direcao = 'entrada' and texto = '${text}'`)).length

  it('connects by QR code or token and shows the connected name', async () => {
    await connect()
    const { body } = await app.request('GET', `${line}/status`)
    expect(body).toMatchObject({ isRunning: true, qrCode: null, conectadoComo: expect.stringMatching(/./) })
  })

  const seHouverNumero = pairing === 'site' ? undefined : it
  seHouverNumero?.('renews the link signal', async () => {
    const signal = async (): Promise<unknown> => (await app.request('GET', '/sistema/status')).body['sinal']
    expect(await signal()).toBe('forte')
    // A round may run between the update and the read, so both repeat.
    await waitUntil(async () => {
      await app.sql(`update linhas_bots set ultimo_quadro = now() - interval '1 hour'`)
      return (await signal()) === 'fraco'
    })
    await waitUntil(async () => (await signal()) === 'forte')
  })

  it('delivers a repeated message once and answers it once', async () => {
    const cliente = network.customer('Ana')
    await cliente.says(app, 'uma vez', '3AREPETIDA')
    await leu(cliente, 2)
    await cliente.says(app, 'uma vez', '3AREPETIDA')
    await cliente.says(app, '4')
    await leu(cliente, 3)
    expect(await stored('uma vez')).toBe(1)
    expect(await cliente.received(app)).toHaveLength(3)
  })

  it('keeps the order of a contato’s messages and of the answers', async () => {
    const cliente = network.customer('Bia')
    const other = network.customer('Caio')
    for (const text of ['oi', '4', 'hein?', '4']) await cliente.says(app, text)
    await other.says(app, 'oi')
    const parsed = await leu(cliente, 6)
    const horario = parsed[2]
    expect(parsed.lastIndexOf(horario ?? '')).toBe(parsed.length - 1)
    expect(parsed[3]).not.toBe(horario)
    await leu(other, 2)
  })

  it('retries a refused message in its place until it is sent once', async () => {
    const cliente = network.customer('Davi')
    await network.refuseSends(app, 2)
    await cliente.says(app, 'oi')
    const parsed = await leu(cliente, 2)
    expect(parsed[0]).toContain('Davi')
    // The customer may have the message before the outbox row is deleted.
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    expect(await cliente.received(app)).toEqual(parsed)
  })

  it('advances a mensagem to sent, delivered and read, and never back', async () => {
    const cliente = network.customer('Gil')
    const dizer = await comPessoas('Gil', cliente)
    await dizer('lá vai')
    await waitUntil(async () => (await cliente.received(app)).includes('lá vai'))
    if (cliente.reportDelivery === undefined) return void (await ficou('lá vai', 'enviada'))
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    await cliente.reportDelivery(app, 'lá vai', 'entregue')
    await ficou('lá vai', 'entregue')
    await cliente.reportDelivery(app, 'lá vai', 'lida')
    await ficou('lá vai', 'lida')
    await cliente.reportDelivery(app, 'lá vai', 'entregue')
    await dizer('e mais esta')
    await waitUntil(async () => (await cliente.received(app)).includes('e mais esta'))
    await app.idle()
    await ficou('lá vai', 'lida')
  })

  it('gives up after the last attempt until an operator resends', async () => {
    const cliente = network.customer('Hugo')
    const dizer = await comPessoas('Hugo', cliente)
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    await network.refuseSends(app, 5)
    await dizer('em vão')
    const { id } = await ficou('em vão', 'falhou')
    expect(await cliente.received(app)).not.toContain('em vão')
    await app.request('POST', `/atendimento/mensagens/${String(id)}/reenviar`)
    await waitUntil(async () => (await cliente.received(app)).includes('em vão'))
  })

  it('sends nothing twice when the server ended before marking it sent', async () => {
    const cliente = network.customer('Íris')
    const dizer = await comPessoas('Íris', cliente)
    await dizer('só uma')
    await waitUntil(async () => (await cliente.received(app)).includes('só uma'))
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    const parsed = await cliente.received(app)
    await app.request('POST', `${line}/parar`)
    await app.close()
    await database.owner.query(
      `insert into saida (conta_id, linha_id, mensagem_id, contato_id, endereco, conteudo, id_externo, tentada_por)
       select m.conta_id, v.linha_id, m.id, v.contato_id, coalesce(d.endereco, c.endereco), '{}', m.id::text, 1
       from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
       join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
       left join dialogos d on d.conta_id = v.conta_id and d.linha_id = v.linha_id and d.contato_id = v.contato_id
       where m.texto = 'só uma'`,
    )
    app = await createTestApp({ database, settings: { dataDir }, ...network.options })
    await cliente.reportDelivery?.(app, 'só uma', 'saiu')
    await app.request('POST', `${line}/iniciar`)
    await connected()
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    expect(await cliente.received(app)).toEqual(parsed)
  })

  it(`${changesSent ? 'changes' : 'refuses to change'} a sent mensagem on the phone`, async () => {
    const cliente = network.customer('Ugo')
    const dizer = await comPessoas('Ugo', cliente)
    const changed = async (method: 'PUT' | 'DELETE', text: string): Promise<unknown> => {
      await dizer(text)
      await waitUntil(async () => (await cliente.received(app)).includes(text))
      await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
      const [row] = await app.sql(`select id from mensagens where texto = '${text}'`)
      const body = method === 'PUT' ? { texto: 'sai às 9h' } : undefined
      return app.request(method, `/atendimento/mensagens/${String(row?.['id'])}`, body)
    }
    const answers = [await changed('PUT', 'sai as 9h'), await changed('DELETE', 'mandei errado')]
    if (cliente.shown === undefined) {
      const refused = { status: 409, body: { codigo: 'conectorNaoPermite' } }
      expect([changesSent, ...answers]).toMatchObject([false, refused, refused])
      return
    }
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }])
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    const texts = ['sai as 9h', 'sai às 9h', 'mandei errado']
    expect((await cliente.shown(app)).filter((text) => texts.includes(text))).toEqual(['sai às 9h'])
  })

  const seHouverLinha = INSIDE.includes(pairing) ? undefined : it
  seHouverLinha?.('reconnects after the connection was cut', async () => {
    const cliente = network.customer('Eva')
    network.cut?.()
    await cliente.says(app, 'voltou?')
    await leu(cliente, 2)
    await connected()
  })

  it('reconnects without a new scan after a server restart', async () => {
    const cliente = network.customer('Fábio')
    await app.close()
    app = await createTestApp({ database, settings: { dataDir }, ...network.options })
    await connected()
    await cliente.says(app, 'oi')
    await leu(cliente, 2)
  })

  it('stops on request and keeps the link', async () => {
    await app.request('POST', `${line}/parar`)
    expect(await status()).toBe('PARADO')
    await app.request('POST', `${line}/iniciar`)
    await connected()
  })

  // No phone is linked to the chat of the site.
  const seHouverCelular = pairing === 'site' ? undefined : it
  seHouverCelular?.('reports a link removed on the phone and pairs again', async () => {
    await network.unlink?.(app)
    await waitUntil(async () => (await status()) === network.unlinkedState.status)
    expect((await app.request('GET', `${line}/status`)).body).toMatchObject(network.unlinkedState)
    await connect()
  })

  it('deletes the link when the session is cleared', async () => {
    await app.request('POST', `${line}/limpar-sessao`)
    expect(await status()).toBe('PARADO')
    await app.request('POST', `${line}/iniciar`)
    await waitUntil(async () => (await status()) === network.unlinkedStatus)
  })
}
