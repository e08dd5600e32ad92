import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  connectBot,
  countLockWaits,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  openConversas,
  withVendas,
} from '#test/builders.ts'

let app: TestApp
let loja: TestUser
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
  loja = await givenConta(app, 'Seu Zé')
  await connectBot(loja, withVendas)
})
afterAll(() => app.close())

const esperam = (): Promise<number> => countLockWaits(app)

/** Locks the contato of a conversa until `meanwhile` ends, so that acts on the conversa wait for the lock. */
async function segurar(conversaId: string, meanwhile: () => Promise<void>): Promise<void> {
  const cliente = await app.database.owner.connect()
  try {
    await cliente.query('begin')
    await cliente.query(
      `select 1 from contatos where id = (select contato_id from conversas where id = $1) for update`,
      [conversaId],
    )
    await meanwhile()
    await cliente.query('commit')
  } finally {
    cliente.release()
  }
}

const umaDe = async (id: string) => (await openConversas(loja)).find((conversa) => conversa.id === id)

describe('operador deleted while taking a conversa', () => {
  it.each([
    ['POST assumir', '5511911220001', 'assumir', undefined],
    ['POST mensagem', '5511911220002', 'mensagem', { mensagem: 'pois não' }],
  ])('leaves the conversa waiting without operador, %s', async (_como, telefone, act, corpo) => {
    const operadora = await givenOperador(app, loja, { nome: 'Olga' })
    const id = await givenWaitingCustomer(loja, telefone)
    let taken = operadora.request('GET', '/auth/eu')
    await segurar(id, async () => {
      await taken
      taken = operadora.request('POST', `/atendimento/conversas/${id}/${act}`, corpo)
      await waitUntil(async () => (await esperam()) > 0)
      expect((await loja.request('DELETE', `/conta/operadores/${operadora.usuario.id}`)).status).toBe(200)
    })
    expect(await taken).toMatchObject({ status: 409, body: { codigo: 'conflito' } })
    const conversa = await umaDe(id)
    expect(conversa).toMatchObject({ status: 'aguardando' })
    expect(conversa).not.toHaveProperty('operadorId')
    expect(conversa?.mensagens.map(({ texto }) => texto)).not.toContain('pois não')
  })
})

describe('setor deleted during a transfer', () => {
  it('puts the transferred conversa in Geral', async () => {
    const id = await givenWaitingCustomer(loja, '5511911220003')
    const { request } = loja
    let respostas: ReturnType<typeof request>[] = []
    await segurar(id, async () => {
      const transferred = request('POST', `/atendimento/conversas/${id}/transferir`, { setor: 'suporte' })
      await waitUntil(async () => (await esperam()) === 1)
      let done = false
      const removido = request('DELETE', '/atendimento/setores/suporte').finally(() => (done = true))
      await waitUntil(async () => done || (await esperam()) === 2)
      respostas = [transferred, removido]
    })
    expect((await Promise.all(respostas)).map(({ status }) => status)).toEqual([200, 200])
    expect(await umaDe(id)).toMatchObject({ status: 'aguardando', setor: 'geral' })
  })
})

describe('setor deleted while the bot hands a customer over', () => {
  const cliente = async (telefone: string, texto: string): Promise<void> => {
    expect((await loja.request('POST', '/simulador/mensagens', { telefone, nome: 'Bia', texto })).status).toBe(202)
  }
  const configure = async (change: (config: Config) => Config): Promise<void> => {
    const { config } = configRoute.response.parse((await loja.request('GET', '/config')).body)
    expect((await loja.request('PUT', '/config', change(config))).status).toBe(200)
  }
  const abrirOficina = async (): Promise<void> => {
    expect((await loja.request('POST', '/atendimento/setores', { nome: 'Oficina' })).status).toBe(200)
    const opcao = { numero: '7', titulo: 'Oficina', tipo: 'humano', setor: 'oficina', resposta: 'CHAMEI' } as const
    await configure((config) => ({
      ...config,
      menu: { ...config.menu, opcoes: [...config.menu.opcoes.filter(({ numero }) => numero !== '7'), opcao] },
    }))
  }
  const conversaDe = (telefone: string) =>
    waitUntil(
      async () => (await openConversas(loja)).find((conversa) => conversa.cliente.telefone === telefone) ?? null,
    )

  it('puts the conversa in Geral because the setor is checked again on write', async () => {
    await abrirOficina()
    const telefone = '5511911220004'
    await cliente(telefone, 'oi')
    const dona = await app.database.owner.connect()
    let escolheu: Promise<void> = Promise.resolve()
    try {
      await dona.query('begin')
      await dona.query('select 1 from contatos where conta_id = $1 and telefone = $2 for update', [
        loja.usuario.contaId,
        telefone,
      ])
      // The turn returns to the queue while the contato is locked.
      escolheu = cliente(telefone, '7')
      await Promise.race([escolheu, new Promise((resolve) => setTimeout(resolve, 100))])
      expect((await loja.request('DELETE', '/atendimento/setores/oficina')).status).toBe(200)
      await dona.query('commit')
    } finally {
      dona.release()
    }
    await escolheu
    const { id } = await conversaDe(telefone)
    expect(await umaDe(id)).toMatchObject({ status: 'aguardando', setor: 'geral' })
    const [state] = await app.sql(`select estado->>'setor' as setor from contatos where telefone = '${telefone}'`)
    expect(state).toEqual({ setor: 'geral' })
    const { body } = await loja.request('GET', '/atendimento/conversas?setor=geral&limite=200')
    expect(JSON.stringify(body)).toContain(id)
  })

  it('puts the conversa in the setor if it still exists', async () => {
    await abrirOficina()
    const telefone = '5511911220005'
    await cliente(telefone, 'oi')
    await cliente(telefone, '7')
    expect(await conversaDe(telefone)).toMatchObject({ status: 'aguardando', setor: 'oficina' })
  })
})
