import { randomUUID } from 'node:crypto'
import { agendadasRoute } from '@balcao/contract/routes/atendimento-agendadas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMetaLoja, type MetaCustomer, createMetaCustomer, type MetaLoja } from './meta-loja.ts'
import { createFakeMeta, type FakeMeta } from './fake-meta.ts'
import { givenOperador } from '#test/builders.ts'
import { type Answer, type TestApp, createTestApp, waitUntil } from '#test/app.ts'

/** Meta's rule: a free reply is allowed for 24 hours after the customer's last message. */

let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let ana: MetaCustomer
let conversaId = ''

const corpo = (texto: string): object => ({ type: 'BODY', text: texto })

beforeAll(async () => {
  meta = await createFakeMeta()
  meta.templates.push(
    {
      ...{ name: 'pedido_pronto', language: 'pt_BR', category: 'UTILITY', parameter_format: 'POSITIONAL' },
      components: [corpo('Oi, {{1}}! Seu pedido {{2}} está pronto, {{1}}.'), { type: 'FOOTER', text: 'Loja da Ana' }],
    },
    {
      ...{ name: 'lembrete', language: 'pt_BR', category: 'UTILITY' },
      components: [corpo('Olá, {{nome}}: até {{dia}}!'), { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY' }] }],
    },
    {
      ...{ name: 'com_foto', language: 'pt_BR', category: 'MARKETING' },
      components: [{ type: 'HEADER', format: 'IMAGE' }, corpo('Veja!')],
    },
    { name: 'estranho' },
  )
  app = await createTestApp({ oficialUrl: meta.url, oficialTimings: { confirmationMs: 50 } })
  loja = await startMetaLoja(app, meta)
  ana = createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Ana', number: '5511940000001' })
  await ana.says('atendente')
  conversaId = await waitUntil(async () => {
    const [line] = await app.sql('select id from conversas where protocolo is not null')
    return line === undefined ? null : String(line['id'])
  })
})
afterAll(async () => {
  await app.close()
  await meta.close()
})

const dizer = (mensagem: string): Promise<Answer> =>
  app.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, { mensagem })
const enviarModelo = (nome: string, valores: string[], idioma = 'pt_BR'): Promise<Answer> =>
  app.request('POST', `/atendimento/conversas/${conversaId}/modelo`, { nome, idioma, valores })
const agendadasPath = (): string => `/atendimento/conversas/${conversaId}/agendadas`
async function agendar(mensagem: string): Promise<void> {
  const enviarEm = new Date(app.deps.clock.now().getTime() + 120_000).toISOString()
  const { status } = await app.request('POST', agendadasPath(), { mensagem, enviarEm, cancelarSeResponder: false })
  expect(status).toBe(201)
}
const lastAgendada = async () =>
  agendadasRoute.response.parse((await app.request('GET', agendadasPath())).body).agendadas[0]
const janela = async (): Promise<number> => {
  const { body } = await app.request('GET', `/atendimento/conversas/${conversaId}/cliente`)
  return Date.parse(String(body['janelaAte']))
}
/** Simulates a message written `horas` ago that Meta delivers now, which moves the 24 h window. */
const envelhecer = async (hours: number): Promise<void> => {
  await app.sql('update contatos set janela_desde = null')
  await escreveu(hours)
}
const escreveu = async (hours: number): Promise<void> => {
  const texto = `há ${hours} horas`
  const timestamp = String(Math.floor(Date.now() / 1000 - hours * 3600))
  await ana.sends({ type: 'text', timestamp, text: { body: texto } })
  await waitUntil(async () => (await app.sql(`select 1 from mensagens where texto = '${texto}'`)).length === 1)
}
const modelosEnviados = () => ana.received().flatMap(({ template }) => (template === undefined ? [] : [template]))

describe('24 h window', () => {
  it('allows replies for a day and shows the end to operators', async () => {
    await envelhecer(23)
    expect((await dizer('ainda dá tempo')).status).toBe(200)
    expect((await janela()) - Date.now()).toBeGreaterThan(0)
    expect((await janela()) - Date.now()).toBeLessThanOrEqual(3_600_000)
  })

  it('ignores a late webhook and limits a clock that is ahead', async () => {
    const before = await janela()
    await escreveu(23.5)
    expect(await janela()).toBe(before)
    await escreveu(-5)
    expect((await janela()) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
    expect((await janela()) - Date.now()).toBeGreaterThan(23 * 3_600_000)
  })

  it('refuses text, file and resend after 24 h and stores nothing', async () => {
    await envelhecer(25)
    await app.idle()
    const [{ antes } = { antes: 0 }] = await app.sql('select count(*)::int as antes from mensagens')
    const refused = await dizer('tarde demais')
    expect(refused).toMatchObject({ status: 409, body: { codigo: 'janelaFechada' } })
    const form = new FormData()
    form.set('arquivo', new File(['texto do arquivo'], 'nota.txt', { type: 'text/plain' }))
    expect((await app.request('POST', `/atendimento/conversas/${conversaId}/midia`, form)).status).toBe(409)
    expect((await app.sql('select count(*)::int as antes from mensagens'))[0]).toEqual({ antes })

    const [failure] = await app.sql(
      `update mensagens set estado = 'falhou' where texto = 'ainda dá tempo' returning id`,
    )
    const denovo = await app.request('POST', `/atendimento/mensagens/${String(failure?.['id'])}/reenviar`)
    expect(denovo).toMatchObject({ status: 409, body: { codigo: 'janelaFechada' } })
  })

  it('fails a scheduled message whose time comes after 24 h', async () => {
    await agendar('Seu pedido chegou')
    app.advance(3 * 60_000)
    await waitUntil(async () => (await lastAgendada())?.estado === 'falhou')
    expect(await lastAgendada()).toMatchObject({ mensagem: 'Seu pedido chegou', motivo: 'janelaFechada' })
    expect(ana.received().filter(({ text }) => text?.body === 'Seu pedido chegou')).toEqual([])
    expect((await app.request('GET', '/avisos')).body['avisos']).toContainEqual(
      expect.objectContaining({
        tipo: 'agendadaFalhou',
        texto: 'Uma mensagem agendada não foi enviada: Seu pedido chegou',
      }),
    )
  })
})

describe('POST /atendimento/conversas with a closed window', () => {
  it('opens nothing with a message, and opens without one', async () => {
    const telefone = '5511940000777'
    const start = (body: object) => app.request('POST', '/atendimento/conversas', { telefone, ...body })
    expect(await start({ mensagem: 'oi' })).toMatchObject({ status: 409, body: { codigo: 'janelaFechada' } })
    expect(await app.sql('select 1 from contatos where telefone = $1', [telefone])).toEqual([])
    const { status, body } = await start({})
    expect([status, Object(body['conversa']).status]).toEqual([201, 'em_atendimento'])
    const { id } = Object(body['conversa'])
    const refused = await app.request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem: 'oi' })
    expect(refused.body['codigo']).toBe('janelaFechada')
    const modelo = { nome: 'lembrete', idioma: 'pt_BR', valores: ['Léo', 'terça'] }
    expect((await app.request('POST', `/atendimento/conversas/${id}/modelo`, modelo)).status).toBe(200)
    await waitUntil(() => meta.messages.some(({ to, template }) => to === telefone && template?.name === 'lembrete'))
  })
})

describe('approved templates', () => {
  it('lists only templates with text placeholders', async () => {
    const { body } = await app.request('GET', '/atendimento/modelos-oficiais')
    expect(body['modelos']).toEqual([
      {
        ...{ nome: 'lembrete', idioma: 'pt_BR', categoria: 'utilidade' },
        ...{ texto: 'Olá, {{nome}}: até {{dia}}!', lacunas: ['nome', 'dia'] },
      },
      {
        ...{ nome: 'pedido_pronto', idioma: 'pt_BR', categoria: 'utilidade' },
        ...{ texto: 'Oi, {{1}}! Seu pedido {{2}} está pronto, {{1}}.', lacunas: ['1', '2'] },
      },
    ])
  })

  it('sends a filled template after the window closed', async () => {
    const { status, body } = await enviarModelo('pedido_pronto', ['Ana', '{{1}} 42'])
    expect([status, body['mensagem']]).toMatchObject([200, { texto: 'Oi, Ana! Seu pedido {{1}} 42 está pronto, Ana.' }])
    await waitUntil(() => modelosEnviados().length === 1)
    expect(modelosEnviados()).toEqual([
      {
        name: 'pedido_pronto',
        language: { code: 'pt_BR' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Ana' },
              { type: 'text', text: '{{1}} 42' },
            ],
          },
        ],
      },
    ])
  })

  it('resends a failed template as a template', async () => {
    meta.queueOutcomes({ status: 400, codigo: 132015 })
    const { body } = await enviarModelo('lembrete', ['Ana', 'sexta'])
    const texto = 'Olá, Ana: até sexta!'
    expect(body['mensagem']).toMatchObject({ texto })
    const line = await waitUntil(async () => {
      const [parsed] = await app.sql(`select id, erro from mensagens where texto = '${texto}' and estado = 'falhou'`)
      return parsed ?? null
    })
    expect(line['erro']).toContain('pausou este modelo')
    await app.request('POST', `/atendimento/mensagens/${String(line['id'])}/reenviar`)
    await waitUntil(() => modelosEnviados().length === 2)
    expect(modelosEnviados()[1]?.components).toEqual([
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Ana', parameter_name: 'nome' },
          { type: 'text', text: 'sexta', parameter_name: 'dia' },
        ],
      },
    ])
  })

  it('refuses an unknown template and an empty placeholder', async () => {
    expect((await enviarModelo('com_foto', [])).body['codigo']).toBe('modeloDesconhecido')
    expect((await enviarModelo('lembrete', ['Ana', 'sexta'], 'en_US')).body['codigo']).toBe('modeloDesconhecido')
    expect((await enviarModelo('lembrete', ['Ana'])).status).toBe(400)
    expect((await enviarModelo('lembrete', ['Ana', ' '])).status).toBe(400)
  })

  it('answers 404 to an operador of another setor and sends nothing', async () => {
    const vera = await givenOperador(app, app.admin, { setores: ['vendas'] })
    const eram = modelosEnviados().length
    const body = { nome: 'lembrete', idioma: 'pt_BR', valores: ['Ana', 'sexta'] }
    const send = (id: string) => app.send('POST', `/atendimento/conversas/${id}/modelo`, { token: vera.token, body })
    await app.sql(`update conversas set setor = 'financeiro' where id = $1`, [conversaId])
    const [foreign, unknown] = [await send(conversaId), await send(randomUUID())]
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    await app.sql(`update conversas set setor = 'geral' where id = $1`, [conversaId])
    expect(modelosEnviados()).toHaveLength(eram)
  })

  it('reaches a contato of another connector by its known number', async () => {
    const eram = modelosEnviados().length
    for (const address of [`${ana.number}@s.whatsapp.net`, '90000001@lid']) {
      await app.sql(`update contatos set endereco = '${address}'`)
      expect((await enviarModelo('lembrete', ['Ana', address])).status).toBe(200)
    }
    await waitUntil(() => modelosEnviados().length === eram + 2)
    await app.sql(`update contatos set telefone = ''`)
    await enviarModelo('lembrete', ['Ana', 'ninguém'])
    const { erro } = await waitUntil(async () => {
      const [parsed] = await app.sql(`select erro from mensagens where texto like '%ninguém%' and estado = 'falhou'`)
      return parsed ?? null
    })
    expect(erro).toContain('Espere que ele escreva')
    await app.sql(`update contatos set endereco = '${ana.number}', telefone = '${ana.number}'`)
  })

  it('keeps the window closed until the customer answers', async () => {
    expect((await dizer('oi?')).status).toBe(409)
    await ana.says('cheguei')
    await waitUntil(async () => (await app.sql(`select 1 from mensagens where texto = 'cheguei'`)).length === 1)
    expect((await dizer('que bom')).status).toBe(200)
  })

  it('cancels a scheduled message of a customer who wrote PARAR', async () => {
    await agendar('Amanhã tem promoção')
    // While people serve the customer, they read PARAR themselves.
    expect((await app.request('POST', `/atendimento/conversas/${conversaId}/finalizar`)).status).toBe(200)
    await ana.says('PARAR')
    await waitUntil(async () => (await app.sql(`select 1 from mensagens where texto = 'PARAR'`)).length === 1)
    app.advance(3 * 60_000)
    await waitUntil(async () => (await lastAgendada())?.estado === 'cancelada')
    expect(await lastAgendada()).toMatchObject({ mensagem: 'Amanhã tem promoção', motivo: 'pediuParada' })
    expect(ana.received().filter(({ text }) => text?.body === 'Amanhã tem promoção')).toEqual([])
  })
})
