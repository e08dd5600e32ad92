import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { reachesCustomer } from '@balcao/engine/effect'
import { initialState } from '@balcao/engine/state'
import { step } from '@balcao/engine/step'
import { createIaApp, type IaApp } from '#test/ia/ia-app.ts'
import { customerSays, openConversas } from '#test/builders.ts'
import { waitUntil } from '#test/app.ts'
import { rehearseConfig } from './exam-shop.ts'

/** Menu: 1 shows a text, 2 asks the AI, 3 hands over to the setor `vendas`. */
let shop: IaApp
beforeAll(async () => {
  shop = await createIaApp()
  await shop.saveConfig((config) => ({
    ...config,
    menu: {
      ...config.menu,
      opcoes: [...config.menu.opcoes, { numero: '3', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' }],
    },
  }))
  shop.fake.answerAlways(({ pergunta }) =>
    pergunta === 'quero gente'
      ? { tipo: 'ferramentas', chamadas: [{ nome: 'transferir_para_setor', args: { setor: 'vendas' } }] }
      : { tipo: 'texto', texto: `ECO ${pergunta}` },
  )
  await play('Ana Souza', ['oi', /MENU/], ['1', 'HORARIOS'], ['xyz', /./])
  await play('Bia Lima', ['oi', /MENU/], ['2', 'PODE PERGUNTAR'], ['tem azul?', 'ECO tem azul?'])
  await play('Caio Reis', ['oi', /MENU/], ['2', 'PODE PERGUNTAR'], ['quero gente', 'JA CHAMO'])
  await play('Davi', ['oi', /MENU/], ['3', /./])
  await play('Eva Dias', ['oi', /MENU/], ['2', 'PODE PERGUNTAR'], ['tem azul?', 'ECO tem azul?'], ['0', /MENU/])
  await shop.app.idle()
}, 60_000)
afterAll(() => shop.close())

async function play(nome: string, ...lines: readonly (readonly [string, string | RegExp])[]): Promise<void> {
  const customer = shop.newCustomer(nome)
  for (const [text, reply] of lines) {
    const before = (await customer.received()).length
    await customer.says(text)
    await waitUntil(async () => (await customer.received()).length > before)
    await customer.waitsFor(reply)
  }
}

async function storedConfig(): Promise<Config> {
  const { config } = configRoute.response.parse((await shop.request('GET', '/config')).body)
  const { versao: _, ...sections } = config
  return sections
}

async function countIn(sql: string): Promise<number> {
  const [row] = await shop.app.sql(`select count(*)::int as n from ${sql}`)
  return Number(row?.['n'])
}

const HANDED_OVER = 'conversas where protocolo is not null'
const FROM_BOT = "mensagens where origem in ('bot', 'ia')"

describe('POST /config/ensaio', () => {
  it('counts with the stored settings what the database holds, and finds no difference', async () => {
    const report = await rehearseConfig(shop.request, await storedConfig())
    const [transferred, said] = [await countIn(HANDED_OVER), await countIn(FROM_BOT)]
    expect(transferred).toBe(2)
    expect(report).toEqual({
      ...{ conversas: 5, iguais: 5, diferentes: [] },
      transferencias: { antes: transferred, depois: transferred },
      mensagens: { antes: said, depois: said },
    })
  })

  it('shows the texts before and after under a masked name, newest first', async () => {
    const config = await storedConfig()
    const opcoes = config.menu.opcoes.map((opcao) =>
      opcao.numero === '1' ? { ...opcao, resposta: 'ATÉ AS 20H' } : opcao,
    )
    const report = await rehearseConfig(shop.request, { ...config, menu: { ...config.menu, opcoes } })
    expect(report).toMatchObject({ conversas: 5, iguais: 4 })
    const [ana, ...others] = report.diferentes
    expect(others).toEqual([])
    expect(ana).toMatchObject({ cliente: 'A*** S.', setores: { antes: [], depois: [] } })
    expect(ana?.antes).toContain('HORARIOS')
    expect(ana?.depois).toEqual(ana?.antes.map((text) => (text === 'HORARIOS' ? 'ATÉ AS 20H' : text)))
  })

  it('agrees with a plain loop over the engine', async () => {
    const config = await storedConfig()
    const draft: Config = {
      ...config,
      ia: { ...config.ia, ativa: false },
      menu: {
        ...config.menu,
        juntarMensagens: 'nunca',
        opcoes: config.menu.opcoes.filter(({ numero }) => numero !== '3'),
        mensagens: { ...config.menu.mensagens, boasVindas: 'BEM-VINDO' },
      },
    }
    const report = await rehearseConfig(shop.request, draft)
    const counted = { mensagens: 0, transferencias: 0 }
    const context = { config: draft, empresa: shop.app.admin.usuario.empresa ?? '', produtos: [], iaAvailable: false }
    for (const { conversa } of await shop.app.sql('select id as conversa from conversas')) {
      let state = initialState()
      let transferred = false
      const rows = await shop.app.sql(
        `select id::text, texto, criada_em from mensagens where conversa_id = $1 and direcao = 'entrada' order by id`,
        [conversa],
      )
      for (const { id, texto, criada_em: em } of rows) {
        const agora = new Date(String(em)).getTime()
        const said = step(context, state, {
          ...{ tipo: 'mensagemCliente', id: String(id), texto: String(texto), agora, enviadaEm: agora, protocolo: '1' },
          contato: { nome: '', telefone: '' },
        })
        state = said.state
        counted.mensagens += said.effects.filter(reachesCustomer).length
        transferred ||= said.effects.some(({ tipo }) => tipo === 'abrirConversaHumana')
      }
      counted.transferencias += transferred ? 1 : 0
    }
    expect(report.mensagens.depois).toBe(counted.mensagens)
    expect(report.transferencias.depois).toBe(counted.transferencias)
    expect(report.transferencias).toEqual({ antes: 2, depois: 0 })
  })

  it('writes nothing, asks no provider and sends nothing', async () => {
    const tables = ['mensagens', 'conversas', 'contatos', 'saida', 'perguntas_ia', 'uso_ia', 'uso_diario', 'logs']
    const written = async (): Promise<unknown> =>
      await shop.app.sql(
        tables.map((name) => `select md5(string_agg(t::text, '' order by t::text)) from ${name} t`).join(' union all '),
      )
    const before = await written()
    const asked = shop.fake.requests.length
    const config = await storedConfig()
    await rehearseConfig(shop.request, { ...config, ia: { ...config.ia, promptTreinamento: 'Outro' } })
    expect(await written()).toEqual(before)
    expect(shop.fake.requests).toHaveLength(asked)
  })

  it('runs one rehearsal of a conta at a time', async () => {
    const config = await storedConfig()
    const client = await shop.app.database.owner.connect()
    try {
      await client.query('begin; lock table respostas_ia in access exclusive mode')
      const first = rehearseConfig(shop.request, config)
      await waitUntil(async () => {
        const { rows } = await client.query('select 1 from pg_locks where not granted')
        return rows.length > 0
      })
      const second = await shop.request('POST', '/config/ensaio', { config, dias: 7 })
      expect(second).toMatchObject({ status: 409, body: { codigo: 'ensaioEmAndamento' } })
      await client.query('commit')
      expect(await first).toMatchObject({ conversas: 5 })
    } finally {
      client.release(true)
    }
    expect(await rehearseConfig(shop.request, config)).toMatchObject({ conversas: 5 })
  })

  it('refuses a draft that no save accepts, and a period above 30 days', async () => {
    const config = await storedConfig()
    const [option] = config.menu.opcoes
    const wrong = { ...config.menu, opcoes: [{ ...option, tipo: 'humano', setor: 'marte' }] }
    const answer = await shop.request('POST', '/config/ensaio', { config: { ...config, menu: wrong }, dias: 7 })
    expect(answer.body).toMatchObject({ codigo: 'setorDesconhecido' })
    expect((await shop.request('POST', '/config/ensaio', { config, dias: 31 })).status).toBe(400)
  })

  it('plays the ends and takes of people, and the greeting after them', async () => {
    const dona = shop.app.admin
    const telefone = '5511980009999'
    await customerSays(dona, telefone, 'oi', '3')
    const open = await waitUntil(
      async () => (await openConversas(dona)).find(({ cliente }) => cliente.telefone === telefone) ?? null,
    )
    await dona.request('POST', `/atendimento/conversas/${open.id}/assumir`)
    await dona.request('POST', `/atendimento/conversas/${open.id}/finalizar`, {})
    await shop.app.idle()
    const report = await rehearseConfig(shop.request, await storedConfig())
    expect(report).toMatchObject({ conversas: 6, iguais: 6 })
    expect(report.transferencias.antes).toBe(await countIn(HANDED_OVER))
  })
})
